package dev.toolfleet.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class ProcessorShareTest {
    @Test
    void versionOneHasAQuotaForEachPeriod(@TempDir Path folder) throws Exception {
        try (ProcessorShare _ = ProcessorShare.of(7, 0.25, List.of("proc /proc proc rw 0 0",
                "cgroup /nowhere cgroup rw,memory 0 0", "cgroup " + folder + " cgroup rw,cpu,cpuacct 0 0"))) {
            Path group = folder.resolve("toolfleet-bench-7");
            assertThat(group.resolve("cpu.cfs_period_us")).hasContent("20000");
            assertThat(group.resolve("cpu.cfs_quota_us")).hasContent("5000");
            assertThat(group.resolve("cgroup.procs")).hasContent("7");
            empty(group);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void versionTwoHasBothInOneFile(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("cgroup.controllers"), "cpuset cpu io\n");
        try (ProcessorShare _ = ProcessorShare.of(7, 1.5, List.of("cgroup2 " + folder + " cgroup2 rw,nosuid 0 0"))) {
            Path group = folder.resolve("toolfleet-bench-7");
            assertThat(group.resolve("cpu.max")).hasContent("30000 20000");
            assertThat(folder.resolve("cgroup.subtree_control")).hasContent("+cpu");
            empty(group);
        }
        assertThat(folder.resolve("toolfleet-bench-7")).doesNotExist();
    }

    @Test
    void aGroupThatCannotBeSetUpIsRemoved(@TempDir Path folder) {
        assertThatThrownBy(() -> ProcessorShare.of(7, 0.25, List.of("cgroup " + folder + "/missing cgroup rw,cpu 0 0")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ProcessorShare.of(7, 0.25, List.of("cgroup2 " + folder + " cgroup2 rw 0 0")))
                .isInstanceOf(IOException.class).hasMessageContaining("no mounted control group");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aShareHasBounds() {
        assertThatThrownBy(() -> ProcessorShare.checkShare(0.01))
                .hasMessage("share is 0.01; it must be 0.05 to 1024");
        assertThatThrownBy(() -> ProcessorShare.checkShare(Double.NaN)).hasMessageContaining("share is NaN");
    }

    @Test
    @Timeout(60)
    void theKernelHoldsAProcessBackThatWantsMoreThanItsShare() throws Exception {
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try (ProcessorShare share = made(busy)) {
            await().until(() -> held(share) > 0);
            busy.destroyForcibly();
            busy.onExit().join();
        } finally {
            busy.destroyForcibly();
        }
    }

    private static ProcessorShare made(Process busy) {
        try {
            return ProcessorShare.of(busy.pid(), 0.2);
        } catch (IllegalStateException e) {
            return Assumptions.abort(String.valueOf(e.getMessage()));
        }
    }

    /// Number of periods in which the kernel held the process back.
    private static int held(ProcessorShare share) throws IOException {
        try (var lines = Files.lines(share.group().resolve("cpu.stat"))) {
            return lines.filter(line -> line.startsWith("nr_throttled "))
                    .mapToInt(line -> Integer.parseInt(line.substring(13)))
                    .sum();
        }
    }

    /// A real group has no files that are in the way.
    private static void empty(Path group) throws IOException {
        try (var files = Files.list(group)) {
            for (Path file : files.toList())
                Files.delete(file);
        }
    }
}
