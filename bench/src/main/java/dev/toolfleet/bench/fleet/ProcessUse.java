package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// Use of the machine by one process, from its operating system.
public final class ProcessUse {
    private static final String RESIDENT = "VmRSS:";

    private ProcessUse() {}

    /// The processor time that it has had; nothing when it has ended.
    public static Duration cpu(long pid) {
        return ProcessHandle.of(pid).flatMap(process -> process.info().totalCpuDuration()).orElse(Duration.ZERO);
    }

    /// Number of threads of the whole machine that wanted a processor in the last minute; negative if unknown.
    public static double loadAverage() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /// The memory that the process has, heap and all else.
    ///
    /// @throws IllegalStateException where there is no `/proc`, or the process has ended
    public static long residentBytes(long pid) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024).findFirst()
                    .orElseThrow(() -> new IllegalStateException(status + " says nothing of " + RESIDENT));
        } catch (IOException e) {
            throw new IllegalStateException("the memory of process " + pid + " is not known: " + e.getMessage(), e);
        }
    }
}
