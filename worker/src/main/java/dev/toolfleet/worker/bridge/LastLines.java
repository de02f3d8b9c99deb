package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// End of a program's error output. A thread reads all of it, so that the program never waits for a reader.
///
/// **Threads.** Any.
final class LastLines implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LastLines.class);
    private static final int KEPT = 4_096;
    private static final int SHOWN = 500;
    private static final int BUFFER = 8_192;
    private static final long PATIENCE_MILLIS = 500;

    private final String name;
    private final InputStream from;
    private final StringBuilder kept = new StringBuilder();
    private final CountDownLatch ended = new CountDownLatch(1);

    private LastLines(String name, InputStream from) {
        this.name = name;
        this.from = from;
    }

    /// Follows a stream to its end. A platform thread reads it: reads of pipes hold the carriers of virtual threads.
    static LastLines follow(String name, InputStream from) {
        LastLines lines = new LastLines(name, from);
        Thread.ofPlatform().daemon().name("mcp-errors").start(lines::read);
        return lines;
    }

    private void read() {
        byte[] buffer = new byte[BUFFER];
        try {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer))
                add(new String(buffer, 0, count, StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(BridgeLogKeys.SERVER, name).setCause(e).log("error output of MCP server ended");
        } finally {
            ended.countDown();
        }
    }

    private void add(String text) {
        synchronized (kept) {
            kept.append(text);
            if (kept.length() > KEPT)
                kept.delete(0, kept.length() - KEPT);
        }
    }

    /// Waits a moment for the end of the stream.
    void await() {
        boolean interrupted = Thread.interrupted();
        try {
            if (!ended.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                LOG.atDebug().addKeyValue(BridgeLogKeys.SERVER, name).log("error output of MCP server goes on");
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }

    String text() {
        synchronized (kept) {
            return kept.toString();
        }
    }

    /// Returns the end of it for people, as a clause that follows a reason; empty for none.
    String clause() {
        String text = text().strip();
        if (text.isEmpty())
            return "";
        String shown = text.substring(Math.max(0, text.length() - SHOWN)).replaceAll("\\s*\\R\\s*", " | ");
        return "; its last words: " + shown;
    }

    @Override
    public void close() {
        closeQuietly(from);
    }

    /// Closes a stream of a process that may have gone.
    static void closeQuietly(AutoCloseable stream) {
        try {
            stream.close();
        } catch (Exception e) {
            // The process has gone.
        }
    }
}
