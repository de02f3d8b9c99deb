package dev.toolfleet.cli.backtest;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet policy backtest` over topics as a fleet writes them.
@EmbeddedKafkaTest
class BacktestIT {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final String AGENT = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/ops"}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools:
                - {ref: {kind: Tool, name: bash, package: "@toolfleet/base"}}
                - {ref: {kind: Tool, name: file-system, package: "@toolfleet/base"}}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: p}
            spec:
              rules:
            """;
    private static final String APPLIED = AGENT + """
                - {id: bash, tool: bash__exec, verdict: allow}
                - {id: no-script, tool: bash__script, verdict: deny}
                - {id: files, tool: file-system__read, verdict: require-approval}
                - {id: writes, tool: file-system__write, verdict: allow}
            """;
    private static final String NEW = AGENT + """
                - {id: bash, tool: bash__exec, verdict: allow}
                - {id: no-push, tool: bash__exec, verdict: deny, reason: Pushes are for people.,
                   when: {args: [{path: /command, glob: "git push*"}]}}
                - {id: scripts, tool: bash__script, verdict: allow}
                - {id: files, tool: file-system__read, verdict: allow}
                - {id: writes, tool: file-system__write, verdict: require-approval}
                - {id: guests, tool: bash__exec, verdict: require-approval, mode: shadow, scope: {userId: guest}}
            """;

    @TempDir
    private Path folder = Path.of("");
    private final TypedCommands commands = TypedCommands.of(240);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();
    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private Instant lastCall = Instant.EPOCH;

    BacktestIT(KafkaFixture kafka) {
        this.kafka = kafka;
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @BeforeEach
    void aFleetWithPastCalls() throws Exception {
        assertThat(run("topics", "create", "--partitions", "3")).as(err.toString()).isZero();
        assertThat(run("apply", "@toolfleet/base")).as(err.toString()).isZero();
        bundle(APPLIED);
        assertThat(run("apply", folder.toString())).as(err.toString()).isZero();
        for (int i = 0; i < 30; i++) {
            long at = call("bash__exec", "i" + i, "ann", Map.of("command", i < 3 ? "git push" : "ls"));
            result(i % 3, at, "{\"status\":\"ok\",\"output\":\"x\",\"callOffset\":" + at + "}");
        }
        long asked = call("file-system__read", "i0", "guest", Map.of());
        result(0, asked, "{\"status\":\"pending\",\"handle\":\"h\"}");
        result(0, asked, "{\"status\":\"error\",\"error\":{\"code\":\"E_TOOL_APPROVAL_EXPIRED\",\"message\":\"m\"}}");
        call("bash__script", "i1", "ann", Map.of());
        call("file-system__write", "i2", "ann", Map.of());
        call("bash__exec", "i3", "guest", Map.of("command", "ls"));
        call("invented__tool", "i4", "ann", Map.of());
        producer.send(new ProducerRecord<>(kafka.topic("tool.call"), 1, null, "no call".getBytes(
                StandardCharsets.UTF_8))).get();
        bundle(NEW);
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void eachChangeIsCountedWithItsRuleAndWhatTheCallHadReturned() {
        JsonNode json = backtest();

        assertThat(json.path("bundle").asString()).isEqualTo("@acme/ops");
        assertThat(json.path("judged").longValue()).isEqualTo(34);
        assertThat(json.path("before").toString()).isEqualTo("{\"allow\":32,\"require-approval\":1,\"deny\":1}");
        assertThat(json.path("after").toString()).isEqualTo("{\"allow\":30,\"require-approval\":1,\"deny\":3}");
        assertThat(findings(json.path("changes"))).containsExactly("denied 3 bash__exec coder ok=3",
                "asked 1 file-system__write coder ok=0", "allowed 1 bash__script coder ok=0",
                "no-longer-asked 1 file-system__read coder ok=0");
        JsonNode denied = json.at("/changes/0/examples/0");
        assertThat(denied.at("/before/rule").asString()).isEqualTo("@acme/ops/p/bash");
        assertThat(denied.at("/after/rule").asString()).isEqualTo("@acme/ops/p/no-push");
        assertThat(denied.at("/after/reason").asString()).isEqualTo("Pushes are for people.");
        assertThat(denied.path("call").asString()).matches("[0-2]-\\d+");
        assertThat(denied.at("/returned/status").asString()).isEqualTo("ok");
        assertThat(json.at("/changes/3/examples/0/returned").toString())
                .isEqualTo("{\"status\":\"error\",\"code\":\"E_TOOL_APPROVAL_EXPIRED\"}");
        assertThat(json.at("/changes/1/examples/0/returned/status").asString()).isEqualTo("no result");
        assertThat(json.path("notJudged").toString())
                .isEqualTo("[{\"reason\":\"unknown to the fleet now\",\"tool\":\"invented__tool\",\"calls\":1}]");
        assertThat(json.path("unreadable").longValue()).isEqualTo(1);
    }

    @Test
    void shadowRulesOfTheBundleAreJudgedInASectionOfTheirOwn() {
        JsonNode shadows = backtest().path("shadows");

        assertThat(findings(shadows)).containsExactly("would-ask 1 bash__exec coder ok=0");
        assertThat(shadows.at("/0/groups/0/rule").asString()).isEqualTo("@acme/ops/p/guests");
        assertThat(shadows.at("/0/examples/0/instanceKey").asString()).isEqualTo("i3");
    }

    @Test
    void aRuleAboutLabelsIsJudgedWithTheResultsBeforeTheCallAlsoBeforeTheSpan() throws Exception {
        long read = call("invented__tool", "i2", "ann", Map.of());
        result(2, read, "{\"status\":\"ok\",\"toolName\":\"invented__tool\",\"instanceKey\":\"i2\"}");
        long after = call("file-system__write", "i2", "ann", Map.of());
        bundle(APPLIED + "    - {id: leak, tool: file-system__write, verdict: deny,"
                + " when: {labels: {all: [untrusted]}}}\n");

        JsonNode json = backtest("--since", lastCall.toString());

        assertThat(findings(json.path("changes"))).containsExactly("denied 1 file-system__write coder ok=0");
        assertThat(json.at("/changes/0/examples/0/call").asString()).isEqualTo("2-" + after);
        assertThat(json.at("/changes/0/examples/0/after/labels").toString()).isEqualTo("[\"sensitive\",\"untrusted\"]");
        assertThat(findings(backtest("--since", "1h").path("changes")))
                .containsExactly("denied 1 file-system__write coder ok=0");

        ReceivedLabel received = ReceivedLabel.of("i1", "i2", "e",
                new AddedLabel("untrusted", "invented__tool", "call_1", read, "i2"));
        producer.send(new ProducerRecord<>(kafka.topic("agent.label"), received.key().getBytes(StandardCharsets.UTF_8),
                WireCodec.of(ReceivedLabel.class).write(received))).get();
        call("file-system__write", "i1", "ann", Map.of());

        assertThat(findings(backtest("--since", "1h").path("changes")))
                .containsExactly("denied 2 file-system__write coder ok=0");
    }

    @Test
    void aRunFailsOnTheNamedChangesOnly() {
        assertThat(run("policy", "backtest", "--bundle", folder.toString())).as(err.toString()).isZero();
        assertThat(run("policy", "backtest", "--bundle", folder.toString(), "--fail-on", "denied,asked")).isEqualTo(1);
        assertThat(out.toString()).contains("failed: there are calls newly denied, or newly asked");
        assertThat(run("policy", "backtest", "--bundle", folder.toString(), "--fail-on", "denied", "--tool",
                "file-system__*")).isZero();
        assertThat(run("policy", "backtest", "--bundle", folder.toString(), "--fail-on", "denied", "--agent",
                "writer")).isZero();
        assertThat(out.toString()).contains("0 calls since", "no verdict changes");
    }

    @Test
    void onlyCallsOfTheSpanAreJudged() {
        assertThat(findings(backtest("--since", "2020-01-01T00:00:00Z", "--tool", "bash__exec").path("changes")))
                .containsExactly("denied 3 bash__exec coder ok=3");
        assertThat(backtest("--since", lastCall.plusMillis(1).toString()).path("judged").longValue()).isZero();
    }

    @Test
    void tablesAndMarkdownShowTheSame() {
        assertThat(run("policy", "backtest", "--bundle", folder.toString(), "--examples", "1")).isZero();
        assertThat(out.toString()).contains("34 calls since", "newly denied: 3 calls", "newly asked: 1 call",
                "newly allowed: 1 call", "no longer asked: 1 call", "would be asked by a rule in shadow: 1 call",
                "allow → deny", "@acme/ops/p/no-push: Pushes are for people.", "error E_TOOL_APPROVAL_EXPIRED",
                "1 call of tools unknown to the fleet now: invented__tool", "1 records of tool.call that are no calls");

        assertThat(run("policy", "backtest", "--bundle", folder.toString(), "--format", "markdown")).isZero();
        assertThat(out.toString()).contains("## Backtest of \\@acme/ops", "### Newly denied: 3 calls",
                "| `bash__exec` | `coder` | – | 3 | 3 | 0 | 0 | 0 |",
                "`@acme/ops/p/no-push` | Pushes are for people. |");
    }

    @Test
    void anAppliedBundleChangesNothingAndNothingIsWritten() throws IOException {
        bundle(APPLIED);
        List<Long> before = ends();

        assertThat(run("policy", "backtest", "--bundle", folder.toString(), "--fail-on",
                "denied,asked,allowed,no-longer-asked")).isZero();
        assertThat(out.toString()).contains("no verdict changes");
        assertThat(err.toString()).contains("has the bundle @acme/ops as it is in the folder");
        assertThat(ends()).isEqualTo(before);
    }

    @Test
    void whatCannotBeUsedEndsWith2() throws IOException {
        String bundle = folder.toString();
        assertThat(run("policy", "backtest")).isEqualTo(2);
        assertThat(run("policy", "backtest", "--bundle", bundle, "--fail-on", "denials")).isEqualTo(2);
        assertThat(err.toString()).contains("--fail-on 'denials'", "denied, asked, allowed, no-longer-asked");
        assertThat(run("policy", "backtest", "--bundle", bundle, "--format", "xml")).isEqualTo(2);
        assertThat(run("policy", "backtest", "--bundle", bundle, "--examples", "-1")).isEqualTo(2);
        assertThat(run("policy", "backtest", "--bundle", bundle, "--name", "@acme/other")).isEqualTo(2);
        bundle(NEW.replace("verdict: allow}", "verdict: maybe}"));
        assertThat(run("policy", "backtest", "--bundle", bundle)).isEqualTo(2);
        assertThat(err.toString()).contains("is not valid");
    }

    @Test
    void theCommandsOfTheDocumentationRun() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/policy.md")).stream()
                .filter(line -> line.startsWith("toolfleet policy backtest ")).toList();

        assertThat(lines).hasSizeGreaterThan(2);
        for (String line : lines) {
            String typed = line.replaceAll("^toolfleet | > \\S+$| --bootstrap \\S+|'", "").replace("--bundle .",
                    "--bundle " + folder);
            assertThat(run(typed.split(" +", -1))).as(line + "\n" + err).isEqualTo(line.contains("--fail-on") ? 1 : 0);
        }
    }

    private JsonNode backtest(String... options) {
        List<String> line = new ArrayList<>(
                List.of("policy", "backtest", "--bundle", folder.toString(), "--format", "json"));
        line.addAll(List.of(options));
        assertThat(run(line.toArray(String[]::new))).as(err.toString()).isZero();
        return Json.MAPPER.readTree(out.toString());
    }

    private static List<String> findings(JsonNode findings) {
        return findings.valueStream().map(finding -> finding.path("finding").asString() + " "
                + finding.path("calls").longValue() + " " + finding.at("/groups/0/tool").asString() + " "
                + finding.at("/groups/0/agent").asString() + " ok=" + finding.at("/groups/0/returned/ok").longValue())
                .toList();
    }

    private void bundle(String yaml) throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), yaml);
    }

    /// Writes a call to the partition of its instance and returns its offset.
    private long call(String tool, String instance, String user, Map<String, String> arguments)
            throws InterruptedException, ExecutionException {
        ToolCall call = ToolCall.of("call_1", tool, Json.MAPPER.valueToTree(arguments), instance)
                .inStep("coder", "t", "s", 0).forCaller(user, null);
        RecordMetadata written = producer.send(new ProducerRecord<>(kafka.topic("tool.call"),
                partition(instance), instance.getBytes(StandardCharsets.UTF_8), CALLS.write(call)))
                .get();
        lastCall = Instant.ofEpochMilli(written.timestamp());
        return written.offset();
    }

    private static int partition(String instance) {
        return Integer.parseInt(instance.substring(1)) % 3;
    }

    private void result(int partition, long callOffset, String json) throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>(kafka.topic("tool.result"), partition, null, null,
                json.getBytes(StandardCharsets.UTF_8),
                KafkaHeaders.of(Map.of(WireHeaders.CALL_OFFSET, Long.toString(callOffset))))).get();
    }

    private List<Long> ends() {
        List<Long> ends = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            for (String topic : List.of("tool.call", "tool.result", "tool.resource", "tool.audit"))
                ends.add(scan.ends(scan.partitions(kafka.topic(topic))).values().stream().mapToLong(end -> end).sum());
        }
        return ends;
    }

    private int run(String... arguments) {
        return commands.with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + kafka.prefix())
                .run(arguments);
    }
}
