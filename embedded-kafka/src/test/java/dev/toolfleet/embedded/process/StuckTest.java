package dev.toolfleet.embedded.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class StuckTest {
    @TempDir
    private Path folder;

    @Test
    void theEndOfTheLogAndTheThreadsOfTheFleetAreShown() throws IOException {
        Path log = folder.resolve("worker.log");
        Files.write(log, Collections.nCopies(50, "earlier"));
        Files.writeString(log, "waits for a lock\n", StandardOpenOption.APPEND);

        assertThat(new Stuck(ProcessHandle.current().pid(), log).describe()).contains("earlier\nwaits for a lock")
                .contains("theEndOfTheLogAndTheThreadsOfTheFleetAreShown");
    }

    @Test
    void aProcessThatIsGoneAndALogThatIsNotThereAreNoFailure() {
        assertThat(new Stuck(Integer.MAX_VALUE, folder.resolve("none.log")).describe()).contains("cannot be read");
    }
}
