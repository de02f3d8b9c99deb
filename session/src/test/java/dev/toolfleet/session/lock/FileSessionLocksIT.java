package dev.toolfleet.session.lock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Locks between processes.
@Timeout(120)
class FileSessionLocksIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    @DisplayName("LCK-08 eight contenders, 500 rounds on a dead owner's lock: no overlap")
    void processesNeverOverlap() throws Exception {
        new LockFolder(folder).leaveDead();
        List<Process> contenders = new ArrayList<>();
        for (int n = 0; n < 8; n++)
            contenders.add(start(LockContender.class, folder.toString(), "63"));
        for (Process contender : contenders) {
            assertThat(contender.waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(contender.exitValue())
                    .as(new String(contender.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)).isZero();
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .allMatch(name -> name.equals("s-s1.lock") || name.equals("s-s1.lock.token"));
        }
    }

    @Test
    @DisplayName("LCK-09 a live holder is not robbed, however short the lease; LCK-05, LCK-19 its death frees the lock")
    void lockEndsWithItsProcess() throws Exception {
        Process holder = start(LockHolder.class, folder.toString(), "50");
        assertThat(holder.inputReader().readLine()).isEqualTo("held");
        LockConfig config = new LockConfig(Duration.ofMillis(300), Duration.ofMillis(5), Duration.ofMillis(50),
                Duration.ofMillis(50), Duration.ofSeconds(1));
        try (FileSessionLocks locks = FileSessionLocks.in(folder, config)) {
            assertThat(locks.acquire(LockFolder.SESSION, "other")).isInstanceOfSatisfying(LockResult.Busy.class,
                    busy -> assertThat(busy.owner()).startsWith("run holder, process " + holder.pid()));
            // SIGTERM: the holder has no handler that could remove the file and live on.
            holder.destroy();
            assertThat(holder.waitFor()).isNotZero();
            assertThat(locks.acquire(LockFolder.SESSION, "other")).isInstanceOf(LockResult.Acquired.class);
        }
    }

    private static Process start(Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(), "-cp",
                System.getProperty("java.class.path"), "-Xmx64m", "-XX:TieredStopAtLevel=1", main.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).start();
    }
}
