package dev.toolfleet.bench.effect;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.bench.load.Kind;

/// Appends what handlers do to the file of this worker; each line is on disk before its method returns. Thread-safe,
/// and (unlike a `FileChannel`, which an interrupt closes) undisturbed by interrupts.
final class EffectLog implements AutoCloseable {
    private final FileOutputStream file;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    /// For all logs of this JVM, since a worker that loads its tools again goes on in the same file.
    private static final AtomicLong RUNS = new AtomicLong();

    /// A start of a handler.
    record Run(long number, Kind kind, String callId, String instance, int attempt) {}

    private EffectLog(FileOutputStream file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    static EffectLog open(Path path, InstantSource clock) throws IOException {
        return new EffectLog(new FileOutputStream(path.toFile(), true), clock);
    }

    Run begin(Kind kind, String callId, String instance, int attempt) throws IOException {
        Run run = new Run(RUNS.incrementAndGet(), kind, callId, instance, attempt);
        write(EffectLine.Mark.BEGIN, run);
        return run;
    }

    void end(Run run) throws IOException {
        write(EffectLine.Mark.END, run);
    }

    void cut(Run run) throws IOException {
        write(EffectLine.Mark.CUT, run);
    }

    private void write(EffectLine.Mark mark, Run run) throws IOException {
        EffectLine line = new EffectLine(mark, clock.instant(), run.number(), run.kind(), run.callId(), run.instance(),
                run.attempt());
        byte[] bytes = line.text().getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            file.write(bytes);
        } finally {
            lock.unlock();
        }
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
