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
    private static final MachineTime NO_TIME = new MachineTime(Duration.ZERO, Duration.ZERO);

    private ProcessUse() {}

    /// The processor time that it has had; nothing when it has ended.
    public static Duration cpu(long pid) {
        return ProcessHandle.of(pid).flatMap(process -> process.info().totalCpuDuration()).orElse(Duration.ZERO);
    }

    /// Number of threads of the whole machine that wanted a processor in the last minute; negative if unknown.
    public static double loadAverage() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /// The processor time that all processes of the machine have had, and what others of its host took from it.
    ///
    /// @param busy of its own processes
    /// @param stolen in which a process was ready and the host ran something else
    public record MachineTime(Duration busy, Duration stolen) {
        /// Returns what came since an earlier look.
        public MachineTime since(MachineTime earlier) {
            return new MachineTime(busy.minus(earlier.busy), stolen.minus(earlier.stolen));
        }
    }

    /// Returns the machine's use of its processors; nothing where there is no `/proc`.
    public static MachineTime machine() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            return lines.filter(line -> line.startsWith("cpu ")).findFirst().map(ProcessUse::machine)
                    .orElse(NO_TIME);
        } catch (IOException e) {
            return NO_TIME;
        }
    }

    /// Reads `cpu user nice system idle iowait irq softirq steal …`, in hundredths of a second.
    static MachineTime machine(String line) {
        long[] ticks = Stream.of(line.strip().split(" +", -1)).skip(1).mapToLong(Long::parseLong).toArray();
        if (ticks.length < 8)
            return NO_TIME;
        return new MachineTime(Duration.ofMillis(10 * (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6])),
                Duration.ofMillis(10 * ticks[7]));
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
