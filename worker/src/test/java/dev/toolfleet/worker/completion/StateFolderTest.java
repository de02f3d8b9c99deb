package dev.toolfleet.worker.completion;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StateFolderTest {
    private static final int FREE = 10;
    private static final int HELD = 11;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path root;

    @Test
    void workersOfOneRootHaveFoldersOfTheirOwn() {
        try (StateFolder first = StateFolder.take(root); StateFolder second = StateFolder.take(root)) {
            assertThat(first.path()).isNotEqualTo(second.path());
        }
    }

    @Test
    void aFolderStaysItsWorkersAlsoForOtherProcessesWhenTheNextOneLooks() throws Exception {
        Path folder;
        try (StateFolder first = StateFolder.take(root); StateFolder second = StateFolder.take(root)) {
            folder = first.path();
            assertThat(isFree(folder)).isFalse();
            assertThat(isFree(second.path())).isFalse();
        }
        assertThat(isFree(folder)).isTrue();
    }

    /// As another process sees it.
    private static boolean isFree(Path folder) throws Exception {
        Path classes = Path.of(Other.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                classes.toString(), Other.class.getName(), folder.resolve("lock").toString()).inheritIO()
                .start();
        int free = other.waitFor();
        assertThat(free).isBetween(FREE, HELD);
        return free == FREE;
    }

    /// A process that tries the lock of a file.
    static final class Other {
        private Other() {}

        public static void main(String[] file) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(file[0]), StandardOpenOption.WRITE)) {
                System.exit(channel.tryLock() == null ? HELD : FREE);
            }
        }
    }

    @Test
    void aWorkerThatStartsAgainFindsWhatWasLeft() {
        Path left;
        try (StateFolder before = StateFolder.take(root)) {
            left = before.path();
        }
        try (StateFolder again = StateFolder.take(root)) {
            assertThat(again.path()).isEqualTo(left);
        }
    }

    @Test
    void aRootThatCannotBeWrittenIsNamedWithItsSetting() throws Exception {
        Path file = Files.createFile(root.resolve("file"));

        assertThatThrownBy(() -> StateFolder.take(file)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("worker.completion.stateDir").hasMessageContaining(file.toString());
    }
}
