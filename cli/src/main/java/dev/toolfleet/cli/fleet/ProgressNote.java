package dev.toolfleet.cli.fleet;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.cli.terminal.Terminal;

/// Note on standard error of a command's present work, once that takes longer than a person waits in peace.
public final class ProgressNote implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final Terminal terminal;
    private final AtomicReference<String> now = new AtomicReference<>("");
    private final CountDownLatch closed = new CountDownLatch(1);

    /// Begins to watch.
    public ProgressNote(Terminal terminal) {
        this(terminal, true);
    }

    private ProgressNote(Terminal terminal, boolean watches) {
        this.terminal = terminal;
        if (watches)
            Thread.ofVirtual().name("toolfleet-progress").start(this::watch);
    }

    /// Returns a note that is never written, for a command for which no person waits at this terminal.
    static ProgressNote silent(Terminal terminal) {
        return new ProgressNote(terminal, false);
    }

    /// Names the work that begins now.
    public void doing(String what) {
        now.set(what);
    }

    /// A topic is being read.
    public void reading(String topic, long read, long all) {
        doing("reading " + topic + ", " + read + " of " + all + " records");
    }

    private void watch() {
        try {
            String said = "";
            while (!closed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                String what = now.get();
                if (!what.isEmpty() && !what.equals(said))
                    terminal.note("toolfleet: " + what + " ...");
                said = what;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends the notes.
    @Override
    public void close() {
        closed.countDown();
    }
}
