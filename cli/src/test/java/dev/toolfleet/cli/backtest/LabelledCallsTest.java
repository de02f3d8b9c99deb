package dev.toolfleet.cli.backtest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Past calls, judged with the labels that their instances had.
class LabelledCallsTest {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final String TOOLS = """
            apiVersion: goondan.ai/v1
            kind: Package
            metadata: {name: "@acme/desk"}
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: clerk}
            spec: {tools: [{ref: Tool/web}]}
            ---
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: web}
            spec:
              entry: java:acme.Web
              exports:
                - {name: read, description: Reads., adds: [untrusted]}
                - {name: salaries, description: Reads., accessesSensitiveData: true}
                - {name: post, description: Sends., sends: true, adds: []}
            ---
            apiVersion: toolfleet.dev/v1
            kind: ToolPolicy
            metadata: {name: p}
            spec:
            """;
    private static final String OLD = TOOLS + "  rules: [{id: all, tool: \"web__*\", verdict: allow}]\n";

    @TempDir
    private Path folder = Path.of("");
    private CallReader reader = new CallReader(query(), pair(FleetResources.EMPTY, FleetResources.EMPTY), 0, 0,
            TravelledLabels.NONE);
    private final List<ConsumerRecord<byte[], byte[]>> written = new ArrayList<>();
    private final List<ConsumerRecord<byte[], byte[]>> results = new ArrayList<>();
    private final List<ConsumerRecord<byte[], byte[]>> received = new ArrayList<>();

    @BeforeEach
    void pastCalls() {
        call(0, "web__post", 1_000);
        call(1, "web__read", 1_010);
        ok(1, "web__read", 1_100);
        call(2, "web__post", 1_200);
        call(3, "web__salaries", 1_210);
        call(4, "web__post", 1_300);
        ok(3, "web__salaries", 1_300);
        call(5, "web__post", 1_301);
    }

    @Test
    void aRuleDeniesTheCallsAfterTheSecondLabelAndNoOthers() throws IOException {
        judge("  rules: [{id: leak, tool: web__post, verdict: deny,"
                + " when: {labels: {all: [untrusted, sensitive]}}}]\n");

        assertThat(found(Finding.DENIED)).containsExactly("0-5", "0-4");
        assertThat(reader.tally().calls(Finding.DENIED)).isEqualTo(2);
        assertThat(reader.tally().after(Verdict.ALLOW)).isEqualTo(4);
        assertThat(reader.tally().examples(Finding.DENIED)).extracting(example -> example.labels().text())
                .containsOnly("sensitive, untrusted");
    }

    @Test
    void aGuardedBundleAsksAboutTheCallsAfterTheSecondLabelThatSend() throws IOException {
        call(6, "web__read", 1_400);
        judge("  trust: guarded\n");

        assertThat(found(Finding.ASKED)).containsExactly("0-5", "0-4");
        assertThat(reader.tally().examples(Finding.ASKED).getFirst().difference().cause().rule())
                .isEqualTo("@acme/desk/p/trust-guarded");
    }

    @Test
    void aShadowRuleHasTheLabelsToo() throws IOException {
        judge("""
                  rules:
                    - {id: all, tool: "web__*", verdict: allow}
                    - {id: read, tool: web__post, verdict: deny, mode: shadow, when: {labels: {all: [untrusted]}}}
                """);

        assertThat(found(Finding.WOULD_DENY)).containsExactly("0-5", "0-4", "0-2");
        assertThat(reader.tally().calls(Finding.DENIED)).isZero();
    }

    @Test
    void labelsAndArgumentsCountTogether() throws IOException {
        judge("  rules: [{id: big, tool: web__post, verdict: deny,"
                + " when: {labels: {all: [untrusted]}, args: [{path: /n, greaterThan: 4}]}}]\n");

        assertThat(found(Finding.DENIED)).containsExactly("0-5");
    }

    /// Each side has the labels that its own declarations add.
    @Test
    void aBundleThatAddsALabelIsJudgedWithIt() throws IOException {
        results.clear();
        ok(0, "web__post", 1_050);
        ok(1, "web__read", 1_100);
        judgeBundle(TOOLS.replace("adds: []", "adds: [posted]")
                + "  rules: [{id: twice, tool: web__post, verdict: deny, when: {labels: {all: [posted]}}}]\n");

        assertThat(found(Finding.DENIED)).containsExactly("0-5", "0-4", "0-2");
        assertThat(reader.tally().examples(Finding.DENIED).getLast().labels().text())
                .isEqualTo("untrusted → posted, untrusted");
    }

    @Test
    void whatTheFleetAnswersAddsNoneAndWhatTheToolAnswersDoes() throws IOException {
        results.clear();
        for (String fleet : List.of("\"status\":\"error\",\"error\":{\"code\":\"E_TOOL_DENIED\"}",
                "\"status\":\"error\",\"error\":{\"code\":\"E_TOOL_TIMEOUT\"},\"timing\":{\"handlerMs\":0}",
                "\"status\":\"pending\",\"output\":{\"approval\":\"required\"},\"timing\":{\"handlerMs\":0}",
                "\"status\":\"pending\",\"output\":{\"status\":\"authorization_required\"}"))
            result(1, "web__read", 1_100, fleet);
        String rule = "  rules: [{id: no, tool: web__post, verdict: deny, when: {labels: {all: [untrusted]}}}]\n";
        judge(rule);
        assertThat(found(Finding.DENIED)).isEmpty();

        for (String tool : List.of("\"status\":\"error\",\"error\":{\"code\":\"E_TOOL\"}",
                "\"status\":\"error\",\"error\":{\"code\":\"E_ACME\"},\"timing\":{\"handlerMs\":0}",
                "\"status\":\"error\",\"error\":{\"code\":\"E_TOOL_TIMEOUT\"},\"timing\":{\"handlerMs\":7}",
                "\"status\":\"pending\",\"output\":\"later\",\"timing\":{\"handlerMs\":0}")) {
            results.clear();
            result(1, "web__read", 1_100, tool);
            judge(rule);
            assertThat(found(Finding.DENIED)).as(tool).containsExactly("0-5", "0-4", "0-2");
        }
    }

    /// The worker starts the handler's proxy before it finds no process.
    private static final String HOST_DOWN = "E_TOOL_HOST_DOWN";

    @Test
    void errorsThatPromiseThatNothingHappenedAddNone() throws IOException {
        List<String> codes = Files.readAllLines(Path.of("../docs/errors.md")).stream()
                .map(Pattern.compile("\\| \\[(E_\\w+)\\]\\(\\S+ \\| No \\|")::matcher).filter(Matcher::matches)
                .map(row -> row.group(1)).toList();

        assertThat(codes).hasSizeGreaterThan(10).contains(HOST_DOWN);
        for (String code : codes) {
            byte[] result = ("{\"status\":\"error\",\"error\":{\"code\":\"" + code + "\"}}")
                    .getBytes(StandardCharsets.UTF_8);
            assertThat(requireNonNull(PastResult.read(result)).isFromTool(result)).as(code)
                    .isEqualTo(code.equals(HOST_DOWN));
        }
    }

    @Test
    void aToolThatNothingDeclaresAddsUntrusted() throws IOException {
        results.clear();
        ok(1, "gone__tool", 1_100);
        judge("  rules: [{id: no, tool: web__post, verdict: deny, when: {labels: {all: [untrusted]}}}]\n");

        assertThat(found(Finding.DENIED)).containsExactly("0-5", "0-4", "0-2");
    }

    @Test
    void labelsFromOtherInstancesCountFromTheirMessageOn() throws IOException {
        received.add(record("agent.label", 0, 1_205, WireCodec.of(ReceivedLabel.class).write(
                ReceivedLabel.of("i", "mail", "evt-1", new AddedLabel("hr-data", "mail__read", "c9", 3, "mail"))),
                Map.of()));
        judge("  rules: [{id: no, tool: web__post, verdict: deny, when: {labels: {all: [hr-data]}}}]\n");

        assertThat(found(Finding.DENIED)).containsExactly("0-5", "0-4");
    }

    @Test
    void noResultIsReadForLabelsWhereNoRuleLooksAtThem() throws IOException {
        Path next = Files.createDirectories(folder.resolve("plain"));
        Files.writeString(next.resolve("toolfleet.yaml"), OLD);

        FleetResources plain = resources(next);

        assertThat(pair(plain, plain).readLabels()).isFalse();
    }

    @Test
    void eachFormNamesTheLabelsOfItsExamples() throws IOException {
        judge("  rules: [{id: leak, tool: web__post, verdict: deny,"
                + " when: {labels: {all: [untrusted, sensitive]}}}]\n");
        BacktestReport report = new BacktestReport("@acme/desk", query(), reader.tally(), List.of());

        JsonNode json = Json.MAPPER.readTree(BacktestJson.text(report));
        assertThat(json.at("/changes/0/examples/0/after/labels").toString()).isEqualTo("[\"sensitive\",\"untrusted\"]");
        assertThat(json.at("/changes/0/examples/0/before/labels").toString())
                .isEqualTo("[\"sensitive\",\"untrusted\"]");
        assertThat(new BacktestMarkdown(report, 20).lines()).anySatisfy(line -> assertThat(line)
                .contains("| `0-5` | `i` |", "| `web__post` | `clerk` | sensitive, untrusted | no result |"));
        assertThat(new BacktestTable(report, 20).lines(new View(new Style(false), 200, Instant.EPOCH)))
                .anySatisfy(line -> assertThat(line).contains("0-5", "web__post", "sensitive, untrusted"));
    }

    @Test
    void theReportNamesResultsWhoseLabelsAreNotKnown() {
        BacktestTally tally = new BacktestTally(0);
        tally.labelsNotKept(3);

        assertThat(new BacktestReport("b", query(), tally, List.of()).summary())
                .contains(
                        "not known: the labels of 3 results and messages, since more instances have labels than are kept");
    }

    private void judge(String policy) throws IOException {
        judgeBundle(TOOLS + policy);
    }

    private void judgeBundle(String yaml) throws IOException {
        Path old = Files.createDirectories(folder.resolve("old"));
        Path next = Files.createDirectories(folder.resolve("next"));
        Files.writeString(old.resolve("toolfleet.yaml"), OLD);
        Files.writeString(next.resolve("toolfleet.yaml"), yaml);
        reader = new CallReader(query(), pair(resources(old), resources(next)), 100, 100,
                TravelledLabels.read(sink -> received.forEach(sink::accept), 100));
        results.forEach(reader::label);
        written.forEach(reader::call);
    }

    private List<String> found(Finding finding) {
        return reader.tally().examples(finding).stream().map(Example::callId).toList();
    }

    private static BacktestQuery query() {
        return new BacktestQuery(Instant.EPOCH, null, null, 100);
    }

    private static PolicyPair pair(FleetResources before, FleetResources after) {
        return PolicyPair.of(before, after, "@acme/desk", Instant.EPOCH);
    }

    private static FleetResources resources(Path bundle) {
        LocalBundle local = LocalBundle.calledLikeItsFolder(BundleCheck.check(bundle));
        ResourceTable table = new ResourceTable();
        RevisionPlan.of(local.name(), local.declared(), table).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
        return table.view();
    }

    private void call(long offset, String tool, long millis) {
        ToolCall call = ToolCall.of("call_" + offset, tool, Json.MAPPER.valueToTree(Map.of("n", offset)), "i")
                .inStep("clerk", "t", "s", 0);
        written.add(record("tool.call", offset, millis, CALLS.write(call), Map.of()));
    }

    private void ok(long callOffset, String tool, long millis) {
        result(callOffset, tool, millis, "\"status\":\"ok\",\"output\":\"text\"");
    }

    private void result(long callOffset, String tool, long millis, String fields) {
        results.add(record("tool.result", results.size(), millis,
                ("{\"toolName\":\"" + tool + "\",\"agentName\":\"clerk\",\"instanceKey\":\"i\"," + fields + "}")
                        .getBytes(StandardCharsets.UTF_8),
                Map.of(WireHeaders.CALL_OFFSET, Long.toString(callOffset))));
    }

    private static ConsumerRecord<byte[], byte[]> record(String topic, long offset, long millis, byte[] value,
            Map<String, String> headers) {
        return new ConsumerRecord<>(topic, 0, offset, millis, TimestampType.LOG_APPEND_TIME, 1, value.length,
                "i".getBytes(StandardCharsets.UTF_8), value, KafkaHeaders.of(headers), Optional.empty());
    }
}
