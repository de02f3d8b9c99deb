package dev.toolfleet.bench.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Asks a JVM of this machine to collect its garbage, and how much is left.
final class LiveHeap {
    /// The last line of `GC.class_histogram`: instances, bytes.
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+(\\d+)\\s+(\\d+)\\s*$");

    private LiveHeap() {}

    /// @throws IllegalStateException when it does not answer
    static long bytes(long pid) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid), "GC.class_histogram").redirectErrorStream(true).start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!jcmd.waitFor(60, TimeUnit.SECONDS))
            throw new IllegalStateException("jcmd does not end");
        return total(said);
    }

    static long total(String histogram) {
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find())
            throw new IllegalStateException("jcmd says nothing of the heap: "
                    + histogram.substring(0, Math.min(200, histogram.length())));
        return Long.parseLong(total.group(2));
    }
}
