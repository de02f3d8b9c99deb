package dev.toolfleet.worker.tools.bash;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import dev.toolfleet.worker.tools.args.JsonText;
import dev.toolfleet.worker.tools.args.Utf8;

/// Keeps the beginning of a process's output and throws the rest away, reading on so that the process is not blocked.
/// Reads on a platform thread, since a read of a pipe would hold a carrier of the virtual ones.
final class CappedOutput {
    private static final int CHUNK = 1 << 16;
    private static final Duration POLL = Duration.ofMillis(1);

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

    CappedOutput(InputStream stream, int cap, String name) {
        this.stream = stream;
        this.cap = cap;
        this.reader = Thread.ofPlatform().daemon().name("bash-" + name).start(this::read);
    }

    /// Waits until the process and all that write in its place have closed their end; gives up after that time, which
    /// only a process that escaped outlasts.
    void drain(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (reader.isAlive() && System.nanoTime() < end)
            Pause.of(POLL);
    }

    /// What is kept, now that the command has ended.
    synchronized Text text() {
        String all = truncated ? Utf8.cut(kept, length) : new String(kept, 0, length, StandardCharsets.UTF_8);
        String text = JsonText.cut(all, cap);
        return new Text(text, truncated || text.length() < all.length());
    }

    private void read() {
        byte[] chunk = new byte[CHUNK];
        try {
            for (int n = stream.read(chunk); n >= 0; n = stream.read(chunk))
                keep(chunk, n);
        } catch (IOException e) {
            return; // The process is gone and its pipe with it: what came is what there is.
        }
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
