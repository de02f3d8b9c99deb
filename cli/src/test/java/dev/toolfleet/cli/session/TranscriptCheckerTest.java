package dev.toolfleet.cli.session;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TranscriptCheckerTest {
    private final StringWriter out = new StringWriter();
    private final Terminal terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(out, true), false, false,
            100);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("a.jsonl"), """
                {"role":"assistant","content":"","timestamp":1,"toolUseId":"t1","toolName":"quote"}
                {"role":"user","content":"and?","timestamp":2}
                {"role":"tool","content":"42","timestamp":3,"toolUseId":"t1"}
                {"role":"tool","content":"43","timestamp":4,"toolUseId":"t9"}
                broken
                {"role":"assis""");
    }

    @Test
    void findingsAreNamedAndTheFileStays() throws IOException {
        String before = Files.readString(file);
        assertThat(new TranscriptChecker(terminal, false).check(file)).isEqualTo(Failure.FAILED);
        assertThat(out.toString().lines()).containsExactly(file + ": 4 entries, 1 bad records, 1 torn, 2 findings",
                "  line 5: no JSON: Unrecognized token 'broken': was expecting (JSON String, Number, Array, Object or token"
                        + " 'null', 'true' or 'false')",
                "  entry 3: invalid-role-sequence: the result of call 't1' does not stand behind its call; it is moved "
                        + "there",
                "  entry 4: orphan-tool-result: the result of call 't9' has no call that can own it; the model is not "
                        + "shown it",
                "  quarantined: t9 \"43\"");
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @Test
    void repairGoesIntoANewFileThatIsClean() {
        Path repaired = folder.resolve("b.jsonl");
        assertThat(new TranscriptChecker(terminal, false).repair(file, repaired)).isEqualTo(Failure.SUCCESS);
        out.getBuffer().setLength(0);
        assertThat(new TranscriptChecker(terminal, true).check(repaired)).isEqualTo(Failure.SUCCESS);
        JsonNode report = Json.MAPPER.readTree(out.toString());
        assertThat(report.path("entries").asInt()).isEqualTo(3);
        assertThat(report.path("isRecoverable").asBoolean()).isTrue();
        assertThatThrownBy(() -> new TranscriptChecker(terminal, false).repair(file, repaired))
                .hasMessage("--out " + repaired + " exists; name a new file");
    }

    @Test
    void absentAndUnreadableFilesAreNamed() throws IOException {
        assertThatThrownBy(() -> new TranscriptChecker(terminal, false).check(folder.resolve("none")))
                .hasMessage(folder.resolve("none") + " does not exist");
        Path broken = Files.writeString(folder.resolve("c"), "{\n");
        assertThatThrownBy(() -> new TranscriptChecker(terminal, false).repair(broken, folder.resolve("d")))
                .hasMessageContaining("no record that can be read");
        assertThat(folder.resolve("d")).doesNotExist();
    }
}
