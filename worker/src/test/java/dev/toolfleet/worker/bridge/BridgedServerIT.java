package dev.toolfleet.worker.bridge;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// A server that the worker starts, and its tools.
class BridgedServerIT {
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

    @Test
    void toolsOfAServerArePublishedAndCalled() throws Exception {
        ShellServer server = ShellServer.in(folder, "look", "structured");
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__look", "sky__structured");

        assertThat(use.call("sky__look", "{\"city\": \"Bern\"}")).isEqualTo(StringNode.valueOf("hello"));
        assertThat(use.call("sky__structured")).isEqualTo(Json.MAPPER.readTree("{\"sum\": 3}"));
        assertThat(server.notes("calls").getFirst()).contains("\"city\":\"Bern\"",
                "\"dev.toolfleet/idempotencyKey\":");
        ObjectNode export = use.tools().tool("sky__look").declaration().export();
        assertThat(export.path("group").stringValue()).isEqualTo("mcp");
        assertThat(export.path("annotations")).isEqualTo(Json.MAPPER.readTree("{\"openWorld\": true}"));
    }

    @Test
    void aCatalogServiceStartsNothing() throws Exception {
        ShellServer server = ShellServer.in(folder, "look");
        PublishedTools tools = new PublishedTools(false);
        McpExtension extension = new McpExtension(bridge.pool);
        extension.register(tools, Bridge.servers("sky", server.entry("")));

        assertThat(bridge.pool.links()).isEmpty();
        assertThat(server.notes("pids")).isEmpty();
    }

    @Test
    void usesOfEqualServersShareOneProcess() throws Exception {
        ShellServer server = ShellServer.in(folder, "look");
        Bridge.Use first = bridge.use("sky", server.entry("")).awaitTools("sky__look");
        Bridge.Use second = bridge.use("heaven", server.entry("")).awaitTools("heaven__look");
        assertThat(server.notes("pids")).hasSize(1);

        first.close();
        assertThat(second.call("heaven__look")).isEqualTo(StringNode.valueOf("hello"));
        second.close();
        assertThat(server.living()).isEmpty();
        assertThat(bridge.pool.links()).isEmpty();
    }

    @Test
    void aChangedListIsFollowed() throws Exception {
        ShellServer server = ShellServer.in(folder, "change", "look");
        server.next("change", "listen");
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__change", "sky__look");

        use.call("sky__change");
        use.awaitTools("sky__change", "sky__listen");
    }

    @Test
    void aFailureOfTheToolIsItsText() throws Exception {
        Bridge.Use use = bridge.use("sky", ShellServer.in(folder, "fail", "refuse").entry(""))
                .awaitTools("sky__fail", "sky__refuse");

        assertThat(use.failure("sky__fail")).hasMessage("no such city").extracting("code")
                .isEqualTo("E_MCP_TOOL_ERROR");
        assertThat(use.failure("sky__refuse")).hasMessageContaining("'sky'").hasMessageContaining("city is missing")
                .extracting("code").isEqualTo("E_MCP_ERROR");
    }

    @Test
    void progressOfTheServerIsProgressOfTheCall() throws Exception {
        Bridge.Use use = bridge.use("sky", ShellServer.in(folder, "progress").entry("")).awaitTools("sky__progress");
        try (FakeToolContext ctx = FakeToolContext.create()) {
            use.call("sky__progress", "{}", ctx);

            assertThat(ctx.progressed()).containsExactly(new Progress(25.0, "first"));
        }
    }

    @Test
    void anInterruptCancelsTheRequestAtTheServer() throws Exception {
        ShellServer server = ShellServer.in(folder, "hang", "look");
        Bridge.Use use = bridge.use("sky", server.entry("")).awaitTools("sky__hang", "sky__look");
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread handler = Thread.startVirtualThread(() -> {
            try {
                use.call("sky__hang");
            } catch (Exception e) {
                end.complete(e);
            }
        });
        await().until(() -> server.notes("calls").size() == 1);
        handler.interrupt();

        assertThat(end.get()).isInstanceOf(InterruptedException.class);
        await().until(() -> server.notes("cancelled").size() == 1);
        assertThat(use.call("sky__look")).isEqualTo(StringNode.valueOf("hello"));
    }

    @Test
    void aPictureStaysABlock() throws Exception {
        Bridge.Use use = bridge.use("sky", ShellServer.in(folder, "picture").entry("")).awaitTools("sky__picture");

        assertThat(use.call("sky__picture")).isEqualTo(Json.MAPPER.readTree("""
                {"content": [{"type": "text", "text": "look"},
                             {"type": "image", "mimeType": "image/png", "data": "AAEC"}]}"""));
    }

    @Test
    void aToolThatTheOperatorSwitchedOffIsNotPublished() throws Exception {
        ObjectNode entry = ShellServer.in(folder, "look", "fail").entry("");
        entry.putObject("tools").putObject("fail").put("enabled", false);

        bridge.use("sky", entry).awaitTools("sky__look");
    }

    /// Skipped where bubblewrap is missing.
    @Test
    void aServerBehindWallsSeesItsFolderAlone() throws Exception {
        SandboxConfig walls = new SandboxConfig(SandboxConfig.Mode.PREFERRED, new SandboxConfig.Network.None(),
                new SandboxConfig.Limits(64, 1L << 30, Duration.ofMinutes(1), 1L << 20),
                List.of(folder.toRealPath().resolve("server")));
        ShellServer server = ShellServer.in(folder.toRealPath().resolve("server"), "look");
        Path workspace = Files.createDirectory(folder.toRealPath().resolve("walled"));
        Files.writeString(workspace.resolve("secret"), "s3cret");
        try (Bridge walled = new Bridge(workspace, walls)) {
            Assumptions.assumeTrue(walled.hasWalls());
            ObjectNode entry = Json.MAPPER.createObjectNode().put("command", "/bin/sh");
            entry.putArray("args").add(server.folder().resolve("server.sh").toString())
                    .add(server.folder().resolve("tools.json").toString()).add(".").add("");
            Bridge.Use use = walled.use("sky", entry).awaitTools("sky__look");

            assertThat(use.call("sky__look")).isEqualTo(StringNode.valueOf("hello"));
            try (var folders = Files.list(workspace)) {
                Path own = folders.filter(Files::isDirectory).findFirst().orElseThrow();
                assertThat(own.getFileName().toString()).startsWith("mcp-server-");
                assertThat(own.resolve("calls")).exists();
            }
        }
    }

    @Test
    void aPoolThatIsClosedStartsNothing() throws Exception {
        ShellServer server = ShellServer.in(folder, "look");
        bridge.pool.close();
        Bridge.Use use = bridge.use("sky", server.entry(""));

        assertThat(use.tools().published()).isEmpty();
        assertThat(server.living()).isEmpty();
    }

    @Test
    void aLinkInTheInstancesPlaceIsNotFollowed() throws Exception {
        ShellServer server = ShellServer.in(folder, "die");
        Bridge.Use use = bridge.use("sky", server.entry("").put("scope", "instance")).awaitTools("sky__die");
        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThatThrownBy(() -> use.call("sky__die", "{}", ctx)).isInstanceOf(ToolException.class);
            Files.delete(ctx.workdir());
            Files.createSymbolicLink(ctx.workdir(), Files.createDirectory(folder.resolve("elsewhere")));
            // Its process starts again after a pause, and would start there.
            await().during(Duration.ofSeconds(1)).untilAsserted(() -> assertThat(server.notes("folders"))
                    .doesNotContain(folder.resolve("elsewhere").toRealPath().toString()));
        }
    }

    @Test
    void eachInstanceHasAProcessOfItsOwn() throws Exception {
        ShellServer server = ShellServer.in(folder, "look");
        Bridge.Use use = bridge.use("sky", server.entry("").put("scope", "instance")).awaitTools("sky__look");
        try (FakeToolContext one = FakeToolContext.create(); FakeToolContext two = FakeToolContext.create()) {
            use.call("sky__look", "{}", one);
            use.call("sky__look", "{}", one);
            use.call("sky__look", "{}", two);

            // One to list the tools, and two for instances.
            assertThat(server.notes("pids")).hasSize(3);
            assertThat(bridge.pool.links()).hasSize(3);
            assertThat(server.notes("folders").subList(1, 3)).containsExactly(one.workdir().toRealPath().toString(),
                    two.workdir().toRealPath().toString());
        }
        use.close();
        assertThat(server.living()).isEmpty();
        assertThat(bridge.pool.links()).isEmpty();
    }
}
