package dev.toolfleet.cli.session;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.cli.command.CommandContext;
import dev.toolfleet.cli.command.ToolfleetCommand;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.SessionReader;
import dev.toolfleet.client.Sessions;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A session that fills its window is summarised by a tool of the fleet: worker, catalog service and session service are
/// real.
@Timeout(180)
class SessionCompactionIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec: {tools: [Tool/bash]}
            ---
            apiVersion: toolfleet.dev/v1
            kind: Tool
            metadata: {name: llm}
            spec:
              entry: java:dev.toolfleet.cli.session.SessionCompactionIT$Summaries
              exports:
                - name: summarize
                  description: Summarises messages.
                  annotations: {readOnly: true}
                  parameters:
                    type: object
                    properties:
                      text: {type: string}
                      maxTokens: {type: integer}
                      identifiers: {type: array, items: {type: string}}
                    required: [text, maxTokens, identifiers]
                    additionalProperties: false
            ---
            apiVersion: toolfleet.dev/v1
            kind: ContextPolicy
            metadata: {name: short}
            spec: {agents: [coder], contextWindow: 8192, strategy: summarize, summarizer: llm__summarize,
              preserveRecentMessages: 2}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /// The summariser.
    public static final class Summaries implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("summarize", (ctx, input) -> ToolOutput.of(Json.MAPPER.createObjectNode().put("summary",
                    "Builds failed; " + input.path("text").asString().lines().count() + " lines were read.")));
        }
    }

    @Test
    void aFullWindowIsSummarisedByATool() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("bundle")).resolve("toolfleet.yaml"), BUNDLE);
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()),
                false, false, 100);
        FleetPlan plan = FleetPlan.temporary(folder.resolve("work"),
                LocalBundle.calledLikeItsFolder(BundleCheck.check(folder.resolve("bundle"))),
                Map.of(OneJvmFleet.SESSION_HTTP_PORT, "0"));
        try (ProgressNote progress = new ProgressNote(terminal);
                OneJvmFleet fleet = OneJvmFleet.start(plan, progress);
                Sessions sessions = Sessions.open(ClientConfig.of(fleet.bootstrapServers()).named("runtime"))) {
            // The gateway shows what the session service shows.
            SessionReader reader = SessionReader.at(URI.create(fleet.gatewayUrl().orElseThrow()));
            StringWriter tailed = new StringWriter();
            CompletableFuture<Integer> tail = CompletableFuture.supplyAsync(() -> run(tailed, "session", "tail",
                    "--instance", "i1", "--limit", "3", "--bootstrap", fleet.bootstrapServers()));

            for (int n = 0; n < 8; n++)
                sessions.append("i1", "coder", message("m-" + n, n + " " + "The build failed again. ".repeat(90)))
                        .toCompletableFuture().join();

            SessionState state = Awaitility.await().atMost(Duration.ofSeconds(60))
                    .until(() -> reader.state("i1", "coder"),
                            found -> found.isPresent() && found.get().messages() < 8 && found.get().seq() > 8)
                    .orElseThrow();
            // Messages were appended while the summariser worked.
            assertThat(state.status()).isIn("safe", "warning");
            Optional<JsonNode> model = reader.messages("i1", "coder", SessionReader.View.MODEL);
            assertThat(model.orElseThrow().at("/messages/0/data/content").asString())
                    .startsWith("[Previous conversation summary]").contains("Builds failed; ");
            assertThat(model.get().path("messages").values()).last()
                    .extracting(message -> message.path("id").asString()).isEqualTo("m-7");

            StringWriter out = new StringWriter();
            assertThat(run(out, "session", "compact", "--instance", "i1", "--agent", "coder", "--bootstrap",
                    fleet.bootstrapServers())).isZero();
            // Short enough, or made shorter once more.
            assertThat(out.toString()).containsPattern("i1/coder: (the session has|compacted)");
            AtomicInteger next = new AtomicInteger(8);
            Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(500)).until(() -> {
                sessions.append("i1", "coder", message("m-" + next.getAndIncrement(), "more")).toCompletableFuture()
                        .join();
                return tail.isDone();
            });
            assertThat(tail.join()).isZero();
            assertThat(tailed.toString()).contains(" i1/coder ");
        }
    }

    private static SessionMessage message(String id, String text) {
        return new SessionMessage(id, Json.MAPPER.createObjectNode().put("role", "user").put("content", text), null,
                Instant.now(), MessageSource.of(MessageSource.Type.USER));
    }

    private static int run(StringWriter out, String... args) {
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()), false, false, 100);
        int code = ToolfleetCommand.run(new CommandContext(terminal, Map.of()), args);
        terminal.out().flush();
        return code;
    }
}
