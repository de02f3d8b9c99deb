package dev.toolfleet.worker.app;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StateFolderTest {
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
