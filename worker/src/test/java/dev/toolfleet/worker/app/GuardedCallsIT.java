package dev.toolfleet.worker.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.catalog.CatalogMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The guard at its place in the pipeline, with real tools.
class GuardedCallsIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void aJavaFileComesBackByteForByte() throws Exception {
        Path source = Path.of("../guard/src/main/java/dev/toolfleet/worker/guard/SecretShapes.java");
        String text = Files.readString(source);
        try (LocalFleet fleet = fleet()) {
            call(fleet, "file-system__write",
                    Json.MAPPER.createObjectNode().put("path", "A.java").put("content", text));
            ToolResult result = call(fleet, "file-system__read", Json.MAPPER.createObjectNode().put("path", "A.java"));

            assertThat(requireNonNull(result.output()).toString()).contains(Json.MAPPER.writeValueAsString(text));
            assertThat(requireNonNull(result.guard()).redacted()).isFalse();
            assertThat(result.guard().truncated()).isFalse();
            assertThat(result.guard().originalSize()).isEqualTo(result.guard().guardedSize());
        }
    }

    @Test
    void whatALayerAddsAfterTheHandlerIsGuarded() throws Exception {
        try (LocalFleet fleet = fleet()) {
            ToolResult result = call(fleet, "leaky__say", Json.MAPPER.createObjectNode());

            assertThat(result.output()).isEqualTo(StringNode.valueOf("by the layer: [REDACTED]"));
            assertThat(requireNonNull(result.guard()).redacted()).isTrue();
        }
    }

    @Test
    void whatAHandlerThrowsIsGuarded() throws Exception {
        try (LocalFleet fleet = fleet()) {
            ToolResult result = call(fleet, "leaky__fail", Json.MAPPER.createObjectNode());

            assertThat(requireNonNull(result.error()).message())
                    .isEqualTo("cannot reach db://u:[REDACTED]@h?password=[REDACTED]");
        }
    }

    @Test
    void nothingIsSaidToBeNothing() throws Exception {
        try (LocalFleet fleet = fleet()) {
            ToolResult result = call(fleet, "leaky__nothing", Json.MAPPER.createObjectNode());

            assertThat(result.output()).isEqualTo(StringNode.valueOf("[No result returned]"));
        }
    }

    @Test
    void whatALayerAnswersIsCheckedToo() throws Exception {
        try (LocalFleet fleet = fleet()) {
            ToolResult mended = call(fleet, "sure__mended", Json.MAPPER.createObjectNode());
            ToolResult broken = call(fleet, "sure__broken", Json.MAPPER.createObjectNode());
            ToolResult never = call(fleet, "sure__never", Json.MAPPER.createObjectNode());

            assertThat(mended.output()).as("of a text that broke the schema").isEqualTo(IntNode.valueOf(1));
            assertThat(requireNonNull(broken.error()).code()).as("of a number that fitted")
                    .isEqualTo("E_TOOL_RESULT_INVALID");
            assertThat(requireNonNull(never.error()).message()).as("of a handler that did not run")
                    .startsWith("The output of tool 'sure__never' breaks its outputSchema: output: ");
        }
    }

    /// A tool whose outputs are to be numbers.
    public static final class Sure implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("mended", (ctx, input) -> ToolOutput.of("1"), "broken", (ctx, input) -> ToolOutput.of(1),
                    "never", (ctx, input) -> ToolOutput.of(1));
        }
    }

    /// A tool that says what it should not.
    public static final class Leaky implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("say", (ctx, input) -> null, "nothing", (ctx, input) -> null, "fail", (ctx, input) -> {
                throw new IllegalStateException("cannot reach db://u:s3cr3t99@h?password=s3cr3t99");
            });
        }
    }

    /// Answers with a card's number whatever the handler of `say` did.
    public static final class After implements ExtensionModule {
        @Override
        public void register(ExtensionRegistrar registrar, ObjectNode config) {
            registrar.toolCall((ctx, next) -> {
                if (ctx.toolName().equals("sure__never"))
                    return new ToolReply.Ok(StringNode.valueOf("by the layer alone"));
                ToolReply reply = next.proceed();
                if (ctx.toolName().startsWith("sure__"))
                    return new ToolReply.Ok(ctx.toolName().endsWith("__mended")
                            ? IntNode.valueOf(1)
                            : StringNode.valueOf("one"));
                return ctx.toolName().endsWith("__say") && reply instanceof ToolReply.Ok(NullNode _)
                        ? new ToolReply.Ok(StringNode.valueOf("by the layer: 4111 1111 1111 1111"))
                        : reply;
            });
        }
    }

    private static ToolResult call(LocalFleet fleet, String tool, ObjectNode args) throws Exception {
        return fleet.call(ToolCall.of("c1", tool, args, "i").inStep("coder", "t1", "s1", 1), Duration.ofMinutes(2));
    }

    private LocalFleet fleet() {
        ObjectNode files = TestResources.tool("file-system", GuardedCallsIT.class, "read", "write");
        files.withObject("spec").put("entry", "builtin:file-system");
        ObjectNode leaky = TestResources.tool("leaky", Leaky.class, "say", "fail", "nothing");
        ObjectNode sure = TestResources.tool("sure", Sure.class, "mended", "broken", "never");
        sure.path("spec").path("exports").forEach(export -> ((ObjectNode) export).put("validateOutput", true)
                .putObject("outputSchema").put("type", "integer"));
        ObjectNode agent = TestResources.agent("coder", "Tool/file-system", "Tool/leaky", "Tool/sure");
        agent.withObject("spec").putArray("extensions").add("Extension/after");
        return new LocalFleet(LocalConfig.of(CatalogMode.AGENT, folder, 100, Duration.ofMinutes(1)),
                new TestResources().plan("acme", files, leaky, sure, TestResources.extension("after", After.class),
                        agent));
    }
}
