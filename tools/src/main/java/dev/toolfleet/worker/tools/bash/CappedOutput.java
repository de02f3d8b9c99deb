package dev.toolfleet.worker.tools.bash;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.worker.sandbox.Pause;
import dev.toolfleet.worker.tools.args.JsonText;
import dev.toolfleet.worker.tools.args.Utf8;

/// Keeps the beginning of a process's output and discards the rest, and reads on so that the process is not blocked. It
/// reads only bytes that wait in the pipe. Otherwise: a blocking read cannot be ended while a process that escaped
/// holds the other end, and its thread and its pipe are lost.
final class CappedOutput {
    private static final int CHUNK = 1 << 16;
    private static final Duration POLL = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofMillis(16);

    /// The beginning of an output.
    ///
    /// @param truncated whether there was more
    record Text(String text, boolean truncated) {}

    private final InputStream stream;
    private final int cap;
    private final Thread reader;
    private byte[] kept = new byte[1024];
    private int length;
    private boolean truncated;
    private volatile boolean finishing;
    private volatile boolean abandoned;

    CappedOutput(InputStream stream, int cap, String name) {
        this.stream = stream;
        this.cap = cap;
        this.reader = Thread.ofVirtual().name("bash-" + name).start(this::read);
    }

    /// Reads the rest after the last writer has ended, and closes the pipe. After `patience` it gives up and cuts off
    /// what an escaped writer still writes. It counts the time in pauses, so that a reader on a machine that stands
    /// still loses none of its time.
    void finish(Duration patience) {
        finishing = true;
        LockSupport.unpark(reader);
        for (long left = patience.dividedBy(POLL); left > 0 && reader.isAlive(); left--)
            Pause.of(POLL);
        abandoned = true;
        if (reader.isAlive())
            cutOff();
    }

    private synchronized void cutOff() {
        truncated = true;
    }

    /// Returns the kept text; valid once the command has ended.
    synchronized Text text() {
        String all = truncated ? Utf8.cut(kept, length) : new String(kept, 0, length, StandardCharsets.UTF_8);
        String text = JsonText.cut(all, cap);
        return new Text(text, truncated || text.length() < all.length());
    }

    private void read() {
        try (stream) {
            byte[] chunk = new byte[CHUNK];
            long pause = POLL.toNanos();
            while (true) {
                boolean last = finishing;
                pause = readWaiting(chunk) ? POLL.toNanos() : Math.min(2 * pause, MOST.toNanos());
                if (last)
                    return;
                LockSupport.parkNanos(pause);
            }
        } catch (IOException e) {
            return; // The process is gone and its pipe with it: what came is what there is.
        }
    }

    private boolean readWaiting(byte[] chunk) throws IOException {
        boolean any = false;
        while (!abandoned && stream.available() > 0) {
            int n = stream.read(chunk, 0, Math.min(chunk.length, stream.available()));
            if (n < 0)
                return any;
            keep(chunk, n);
            any = true;
        }
        return any;
    }

    private synchronized void keep(byte[] chunk, int n) {
        int taken = Math.min(n, cap - length);
        truncated |= taken < n;
        if (length + taken > kept.length)
            kept = Arrays.copyOf(kept, Math.min(cap, Math.max(length + taken, kept.length * 2)));
        System.arraycopy(chunk, 0, kept, length, taken);
        length += taken;
    }
}
