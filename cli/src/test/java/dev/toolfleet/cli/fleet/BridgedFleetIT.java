package dev.toolfleet.cli.fleet;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.CallHandle;
import dev.toolfleet.client.CallOptions;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Tools of an MCP server in a whole fleet: listed by the catalog service, judged by the policy, called through Kafka.
class BridgedFleetIT {
    private static final String AGENT = "coder";
    private static final String INSTANCE = "chat/1";
    /// Server of 2025-11-25 with four tools; `die` ends it in the middle of a call, and `grind` is a task that ends with its
    /// third poll.
    private static final String SERVER = """
            echo $$ >>"$1"
            say() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
            tool() { printf '{"name":"%s","description":"Does it.","inputSchema":{"type":"object"}}' "$1"; }
            task() { printf '{"taskId":"t1","status":"%s","createdAt":"2026-11-01T00:00:00Z","lastUpdatedAt":"2026-11-01T00:00:00Z","ttl":null}' "$1"; }
            while read -r line; do
                id=${line#*\\"id\\":}
                id=${id%%[,\\}]*}
                case $line in
                *'"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\\n' "$id" ;;
                *'"initialize"'*) say '{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"sh","version":"1"}}' ;;
                *'"tools/list"'*) say "{\\"tools\\":[$(tool look),$(tool move),$(tool die),{\\"name\\":\\"grind\\",\\"inputSchema\\":{\\"type\\":\\"object\\"},\\"execution\\":{\\"taskSupport\\":\\"required\\"}}]}" ;;
                *'"name":"die"'*) exit 4 ;;
                *'"name":"grind"'*) polls=0; say "{\\"task\\":$(task working)}" ;;
                *'"tasks/get"'*) polls=$((polls + 1)); [ "$polls" -lt 3 ] && say "$(task working)" || say "$(task completed)" ;;
                *'"tasks/result"'*) say '{"content":[{"type":"text","text":"ground"}]}' ;;
                *'"tools/call"'*) say '{"content":[{"type":"text","text":"clear"}]}' ;;
                esac
            done
            """;
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Extension
            metadata: {name: mcp}
            spec:
              entry: builtin:mcp
              config:
                servers:
                  sky: {command: /bin/sh, args: [SCRIPT, PIDS], tools: {look: {readOnly: true}}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: desk}
            spec:
              rules:
                - {id: looking, flag: readOnly, verdict: allow}
                - {id: dying, tool: [sky__die, sky__grind], verdict: allow}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec: {extensions: [Extension/mcp]}
            """;

    @TempDir
    private Path folder = Path.of("");
    private int calls;

    @Test
    void callsOfAServersToolsTravelThroughTheFleet() throws Exception {
        Path pids = folder.resolve("pids");
        try (ProgressNote progress = new ProgressNote(new Terminal(new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()), false, false, 160));
                OneJvmFleet fleet = OneJvmFleet.start(plan(pids), progress);
                ToolFleetClient client = ToolFleetClient.open(fleet.clientConfig("caller"));
                Decisions person = Decisions.open(fleet.clientConfig("person"))) {
            StepCatalogView step = stepWithTools(client);
            assertThat(step.tools()).extracting(ToolCatalogItem::name)
                    .containsExactlyInAnyOrder("sky__look", "sky__move", "sky__die", "sky__grind");
            assertThat(step.tools()).extracting(tool -> tool.source().type() + " " + tool.group())
                    .containsOnly("mcp mcp");

            ToolResult looked = get(call(client, step, "sky__look").result());
            assertThat(looked.status()).as(looked.toString()).isEqualTo(ResultStatus.OK);
            assertThat(requireNonNull(looked.output()).stringValue()).isEqualTo("clear");

            CallHandle moving = call(client, step, "sky__move");
            ToolResult first = get(moving.firstResult());
            assertThat(first.status()).as(first.toString()).isEqualTo(ResultStatus.PENDING);
            get(person.approve(requireNonNull(first.handle()), "ann", null));
            assertThat(get(moving.result()).status()).isEqualTo(ResultStatus.OK);

            CallHandle grinding = call(client, step, "sky__grind");
            ToolResult task = get(grinding.firstResult());
            assertThat(task.status()).as(task.toString()).isEqualTo(ResultStatus.PENDING);
            assertThat(requireNonNull(get(grinding.result()).output()).stringValue()).isEqualTo("ground");

            ToolResult lost = get(call(client, step, "sky__die").result());
            assertThat(requireNonNull(lost.error()).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(get(call(client, step, "sky__look").result()).status()).isEqualTo(ResultStatus.OK);
        }
        assertThat(Files.readAllLines(pids)).hasSizeGreaterThanOrEqualTo(2);
        assertThat(Files.readAllLines(pids)).noneMatch(
                pid -> ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false));
    }

    private FleetPlan plan(Path pids) throws IOException {
        Path script = Files.writeString(folder.resolve("server.sh"), SERVER);
        Path bundle = Files.createDirectories(folder.resolve("bundle"));
        Files.writeString(bundle.resolve("toolfleet.yaml"),
                BUNDLE.replace("SCRIPT", script.toString()).replace("PIDS", pids.toString()));
        return FleetPlan.temporary(folder.resolve("work"), LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle)),
                Map.of(OneJvmFleet.HTTP_PORT, "0", "worker.sandbox.mode", "off"));
    }

    /// Nothing waits for a server: a later step has its tools.
    private static StepCatalogView stepWithTools(ToolFleetClient client) {
        List<StepCatalogView> steps = new ArrayList<>();
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            String id = "s" + (steps.size() + 1);
            steps.add(get(client.beginStep(
                    new StepStarted(INSTANCE, AGENT, "t", id, steps.size() + 1, null, null, null))));
            return !steps.getLast().tools().isEmpty();
        });
        return steps.getLast();
    }

    private CallHandle call(ToolFleetClient client, StepCatalogView step, String tool) {
        ToolCall call = ToolCall.of("c" + ++calls, tool, Json.MAPPER.createObjectNode(), INSTANCE)
                .inStep(AGENT, step.turnId(), step.stepId(), 1);
        return client.call(call, CallOptions.within(Duration.ofMinutes(1)));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
}
