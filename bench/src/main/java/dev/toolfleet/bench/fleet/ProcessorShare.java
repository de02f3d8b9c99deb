package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Bound on the processor time of one process: a Linux control group of its own, of version 1 or 2.
///
/// Used by one thread.
public final class ProcessorShare implements AutoCloseable {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    /// Short, so that a process that has used its share up waits for milliseconds only.
    private static final int PERIOD_MICROS = 20_000;
    /// The kernel refuses less than a millisecond for each period.
    private static final double LEAST = 0.05;
    private static final int REMOVAL_ATTEMPTS = 50;

    private final Path group;

    private ProcessorShare(Path group) {
        this.group = group;
    }

    /// Bounds a process with all its threads, from now on.
    ///
    /// @param processors that it may keep busy, such as 0.25
    /// @throws IllegalStateException if this system has no control group for processors, or this user may not make one
    public static ProcessorShare of(long pid, double processors) {
        checkShare(processors);
        try {
            return of(pid, processors, Files.readAllLines(MOUNTS));
        } catch (IOException e) {
            throw new IllegalStateException("process " + pid + " could not be bound to " + processors
                    + " processors by a control group: " + e + ". That needs Linux and the right to make one"
                    + " (root, or a folder of /sys/fs/cgroup of this user)", e);
        }
    }

    /// Checks a number of processors.
    ///
    /// @throws IllegalArgumentException naming the value and the bounds
    public static void checkShare(double processors) {
        if (!(processors >= LEAST && processors <= 1024))
            throw new IllegalArgumentException("share is " + processors + "; it must be " + LEAST + " to 1024");
    }

    static ProcessorShare of(long pid, double processors, List<String> mounts) throws IOException {
        Controller controller = Controller.among(mounts);
        Path group = Files.createDirectory(controller.folder().resolve("toolfleet-bench-" + pid));
        try {
            bound(controller, group, Math.round(processors * PERIOD_MICROS));
            write(group.resolve("cgroup.procs"), Long.toString(pid));
            return new ProcessorShare(group);
        } catch (IOException e) {
            // Has no process yet.
            Files.deleteIfExists(group);
            throw e;
        }
    }

    private static void bound(Controller controller, Path group, long quota) throws IOException {
        if (controller.isUnified()) {
            write(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
        } else {
            write(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
            write(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }

    /// Folder in which groups are made.
    ///
    /// @param isUnified true in version 2
    record Controller(Path folder, boolean isUnified) {
        /// Reads lines of `/proc/mounts`: device, folder, type, options.
        ///
        /// @throws IOException if none has a controller of processors
        static Controller among(List<String> mounts) throws IOException {
            for (String line : mounts) {
                String[] fields = line.split(" ", -1);
                if (fields.length < 4)
                    continue;
                Path folder = Path.of(fields[1]);
                if (fields[2].equals("cgroup") && Arrays.asList(fields[3].split(",", -1)).contains("cpu"))
                    return new Controller(folder, false);
                if (fields[2].equals("cgroup2") && offersProcessors(folder)) {
                    write(folder.resolve("cgroup.subtree_control"), "+cpu");
                    return new Controller(folder, true);
                }
            }
            throw new IOException("no mounted control group has the controller cpu");
        }

        private static boolean offersProcessors(Path folder) throws IOException {
            Path controllers = folder.resolve("cgroup.controllers");
            return Files.exists(controllers)
                    && Stream.of(Files.readString(controllers).strip().split(" ", -1)).anyMatch("cpu"::equals);
        }
    }

    Path group() {
        return group;
    }

    /// Removes the group. Its process must have ended; the kernel needs a moment to notice that.
    ///
    /// @throws IllegalStateException if the group stays
    @Override
    public void close() {
        IOException last = null;
        for (int i = 0; i < REMOVAL_ATTEMPTS; i++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException e) {
                last = e;
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new IllegalStateException("the control group " + group + " could not be removed: " + last
                + ". Remove it with rmdir when its processes have ended", last);
    }
}
