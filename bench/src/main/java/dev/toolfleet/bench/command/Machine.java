package dev.toolfleet.bench.command;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/// Machine of a benchmark.
///
/// @param processor as it calls itself
/// @param processors that this JVM may use
/// @param memoryBytes of the machine
/// @param system name and version
/// @param java vendor and version
record Machine(String processor, int processors, long memoryBytes, String system, String java) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";

    static Machine here() {
        long memory = ManagementFactory
                .getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                        ? os.getTotalMemorySize()
                        : 0;
        return new Machine(model(), Runtime.getRuntime().availableProcessors(), memory,
                System.getProperty("os.name") + " " + System.getProperty("os.version").replaceFirst("-.*", ""),
                System.getProperty("java.vm.vendor") + " " + System.getProperty("java.version"));
    }

    private static String model() {
        if (!Files.isReadable(CPU_INFO))
            return System.getProperty("os.arch");
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith(MODEL))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst().orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    String text() {
        return String.format(Locale.ROOT, "%d × %s, %.0f GB, %s, %s", processors, processor, memoryBytes / 1e9, system,
                java);
    }
}
