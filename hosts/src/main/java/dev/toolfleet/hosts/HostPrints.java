package dev.toolfleet.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Prints of a host and its handlers, as log events. Reads all of them, so that the host never waits for a reader, and
/// logs at most [#MOST] lines a second.
///
/// **Threads.** Any; one of its own reads.
final class HostPrints {
    /// Lines that are logged in a second; the others are counted.
    static final int MOST = 100;
    private static final Logger LOG = LoggerFactory.getLogger(HostPrints.class);
    private static final int LONGEST = 8_192;
    private static final int SHOWN = 500;
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE_MILLIS = 500;

    /// Lines of a stack of JavaScript, which would hide the error above them.
    private static final Pattern FRAMES = Pattern.compile("(?m)^\\s+at .*$\\R?|^Node\\.js v.*$");

    private final String label;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final StringBuilder last = new StringBuilder();
    private long second = System.nanoTime();
    private int lines;
    private long dropped;

    private HostPrints(String label) {
        this.label = label;
    }

    /// Follows a stream to its end. A platform thread reads it: reads of pipes hold the carriers of virtual threads.
    static HostPrints follow(String label, InputStream from) {
        HostPrints prints = new HostPrints(label);
        Thread.ofPlatform().daemon().name("host-prints-" + label).start(() -> prints.read(from));
        return prints;
    }

    private void read(InputStream from) {
        try {
            new LineSplitter(LONGEST, new LineSplitter.Sink() {
                @Override
                public void line(byte[] bytes, int start, int length) {
                    print(new String(bytes, start, length, StandardCharsets.UTF_8));
                }

                @Override
                public void tooLong(String beginning) {
                    print(beginning + "…");
                }
            }).readAll(from);
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(HostLogKeys.HOST, label).setCause(e).log("prints of host ended");
        } finally {
            ended.countDown();
        }
    }

    private void print(String line) {
        synchronized (last) {
            last.append(line).append('\n');
            if (last.length() > 2 * LONGEST)
                last.delete(0, last.length() - LONGEST);
        }
        long now = System.nanoTime();
        if (now - second >= SECOND) {
            if (dropped > 0)
                LOG.atWarn().addKeyValue(HostLogKeys.HOST, label).addKeyValue(HostLogKeys.COUNT, dropped)
                        .log("prints of host dropped: too many in a second");
            second = now;
            lines = 0;
            dropped = 0;
        }
        if (lines++ < MOST)
            LOG.atInfo().addKeyValue(HostLogKeys.HOST, label).addKeyValue(HostLogKeys.LINE, line).log("host printed");
        else
            dropped++;
    }

    /// Waits a moment for the end of the stream.
    void await() throws InterruptedException {
        if (!ended.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
            LOG.atDebug().addKeyValue(HostLogKeys.HOST, label).log("prints of host go on");
    }

    /// Returns the last prints, as a clause that follows a reason; empty for none.
    String clause() {
        String text;
        synchronized (last) {
            text = last.toString().strip();
        }
        String told = FRAMES.matcher(text).replaceAll("").strip();
        return told.isEmpty()
                ? ""
                : "; its last words: "
                        + told.substring(Math.max(0, told.length() - SHOWN)).replaceAll("\\s*\\R\\s*", " | ");
    }
}
