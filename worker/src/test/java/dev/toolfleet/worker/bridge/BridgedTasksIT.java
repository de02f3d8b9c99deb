package dev.toolfleet.worker.bridge;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tasks of a server are pending calls of the fleet.
class BridgedTasksIT {
    private static final String MILL = "{\"name\": \"mill\", \"description\": \"Grinds.\", "
            + "\"inputSchema\": {\"type\": \"object\"}, \"execution\": {\"taskSupport\": \"required\"}}";
    private static final String FREE = MILL.replace("mill", "free").replace("required", "optional");

    @TempDir
    private Path folder = Path.of(".");
    private Bridge bridge = new Bridge(Path.of("target"));

    @BeforeEach
    void open() {
        bridge.close();
        bridge = new Bridge(folder.resolve("workspace"));
    }

    @AfterEach
    void close() {
        bridge.close();
    }

    private static ToolOutput.Pending begin(Bridge.Use use) throws Exception {
        return (ToolOutput.Pending) requireNonNull(use.call("sky__mill"));
    }

    private static PendingWork work(ToolOutput.Pending pending) {
        return new PendingWork(pending.handle(), Json.MAPPER.createObjectNode(), null, "chat/1", "coder", "c1",
                Instant.now(), Instant.now().plusSeconds(60));
    }

    private static PollAnswer poll(ToolModule module, ToolOutput.Pending pending) throws Exception {
        return module.poll("mill", work(pending));
    }

    @Test
    void aTaskIsPolledUntilItsResult() throws Exception {
        ShellServer server = ShellServer.in(folder, MILL, FREE);
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__mill", "sky__free");
        ToolModule module = use.tools().tool("sky__mill").module();
        assertThat(use.tools().tool("sky__mill").declaration().export().path("async").path("timeout").stringValue())
                .isEqualTo("24h");

        ToolOutput.Pending pending = begin(use);
        assertThat(pending.target()).isEqualTo("MCP server 'sky'");
        assertThat(pending.output()).isEqualTo(Json.MAPPER.readTree(
                "{\"task\": \"t/1\", \"server\": \"sky\", \"message\": \"half way\"}"));
        assertThat(poll(module, pending)).isEqualTo(PollAnswer.running(null, "half way"));

        Files.writeString(folder.resolve("notes/status"), "completed");
        assertThat(poll(module, pending)).isEqualTo(PollAnswer.completed(StringNode.valueOf("ground")));
        assertThat(server.notes("asked").getFirst()).contains("\"taskId\":\"t/1\"");
    }

    @Test
    void aToolThatNeedsNoTaskAnswersAtOnce() throws Exception {
        ShellServer server = ShellServer.in(folder, FREE);
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__free");

        assertThat(use.call("sky__free")).isEqualTo(StringNode.valueOf("hello"));
        assertThat(use.tools().tool("sky__free").declaration().export().has("async")).isFalse();
    }

    @Test
    void aCancelledCallCancelsTheTask() throws Exception {
        ShellServer server = ShellServer.in(folder, MILL);
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__mill");
        ToolOutput.Pending pending = begin(use);

        use.tools().tool("sky__mill").module().cancel("mill", work(pending));

        assertThat(server.notes("cancelled")).singleElement().asString().contains("tasks/cancel", "\"t/1\"");
    }

    @ParameterizedTest
    @CsvSource({"forgotten,,E_TOOL_OUTCOME_UNKNOWN,0", "status,input_required,E_TOOL_INPUT_REQUIRED,1",
            "status,cancelled,E_MCP_ERROR,0"})
    void aTaskThatEndsWithoutAResultFailsItsCall(String note, @Nullable String text, String code, int cancellations)
            throws Exception {
        ShellServer server = ShellServer.in(folder, MILL);
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__mill");
        ToolOutput.Pending pending = begin(use);
        Files.writeString(folder.resolve("notes").resolve(note), text == null ? "" : text);

        assertThat(poll(use.tools().tool("sky__mill").module(), pending)).isInstanceOfSatisfying(
                PollAnswer.Failed.class, failed -> assertThat(failed.error().code()).isEqualTo(code));
        assertThat(server.notes("cancelled")).hasSize(cancellations);
    }

    @Test
    void aServerThatIsAwayIsNoAnswer() throws Exception {
        ShellServer server = ShellServer.in(folder, MILL, "die");
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__mill", "sky__die");
        ToolOutput.Pending pending = begin(use);
        ToolModule module = use.tools().tool("sky__mill").module();
        bridge.pool.close();

        assertThatThrownBy(() -> poll(module, pending)).isInstanceOf(ServerDownException.class);
    }
}
