package dev.toolfleet.embedded.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// A process that does not become ready: the end of its log, and its threads that run code of the fleet. A message
/// with these often shows the cause where the log itself is out of reach, as on a build machine.
record Stuck(long pid, Path log) {
    private static final int LOG_LINES = 20;
    private static final int FRAMES = 12;
    private static final int THREADS = 20;
    private static final long TOOL_SECONDS = 20;

    /// Returns several lines. Never throws because of the process.
    String describe() {
        return "The log's end:\n" + logEnd() + "\nThreads at work:\n" + threads();
    }

    private String logEnd() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "(cannot be read: " + e + ")";
        }
    }

    private String threads() {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jstack");
        Path file = log.resolveSibling(log.getFileName() + ".threads");
        try {
            Process process = new ProcessBuilder(tool.toString(), Long.toString(pid)).redirectErrorStream(true)
                    .redirectOutput(file.toFile()).start();
            if (!process.waitFor(TOOL_SECONDS, TimeUnit.SECONDS))
                process.destroyForcibly();
            return Arrays.stream(Files.readString(file).split("\n\n"))
                    .filter(thread -> thread.contains("dev.toolfleet"))
                    .limit(THREADS).map(thread -> thread.lines().limit(FRAMES).collect(Collectors.joining("\n")))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return "(not known: " + e + ")";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "(not known: interrupted)";
        }
    }
}
