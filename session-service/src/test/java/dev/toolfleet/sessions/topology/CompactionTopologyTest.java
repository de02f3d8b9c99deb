package dev.toolfleet.sessions.topology;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.MessageCompaction;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionReport;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.TestOutputTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class CompactionTopologyTest extends SessionTopologyFixture {
    /// About 500 tokens each; the window has 4,096 that are usable.
    private static final String LONG = "The build of the module failed in its third test. ".repeat(40);

    private final ResourceTable applied = new ResourceTable();

    @Test
    void aCriticalSessionIsSummarisedByAToolOfTheFleet() {
        policy(spec -> spec.put("strategy", "summarize").put("summarizer", "llm__summarize")
                .put("preserveRecentMessages", 2));
        fill(8);

        ToolCall call = onlyCall();
        assertThat(call.agentName()).isEqualTo("@session:acme");
        assertThat(call.name()).isEqualTo("llm__summarize");
        assertThat(call.instanceKey()).startsWith("@session/").isNotEqualTo("i");
        assertThat(call.args().path("text").asString()).contains("The build of the module");
        assertThat(call.args().path("maxTokens").asInt()).isPositive();
        assertThat(call.deadline()).isEqualTo(START.plus(Duration.ofMinutes(2)));
        assertThat(WireCodec.of(StepEvent.class).read(output(Topic.STEP).readRecord().value()))
                .isInstanceOfSatisfying(StepStarted.class,
                        step -> assertThat(step.stepId()).isEqualTo(call.stepId()));
        long before = state().tokens();

        answer(call, "Three builds failed.", null);

        List<String> left = logged();
        assertThat(left).hasSizeBetween(3, 6).endsWith("m-6", "m-7");
        MessageEvent event = events.getLast();
        assertThat(event.type()).isEqualTo(MessageEvent.Type.COMPACTED);
        SessionMessage summary = requireNonNull(event.message());
        assertThat(left.getFirst()).isEqualTo(summary.id());
        assertThat(summary.data().path("role").asString()).isEqualTo("user");
        assertThat(summary.data().path("content").asString()).contains("Three builds failed.");
        assertThat(state().tokens()).isLessThan(before).isLessThan((long) (4096 * 0.7));
        assertThat(state().messages()).isEqualTo(left.size());
        assertThat(reports()).filteredOn(report -> report.kind().equals("compaction")).singleElement()
                .satisfies(report -> assertThat(report.message()).startsWith("compacted: "));
        assertThat(state().status()).isEqualTo("safe");
    }

    @Test
    void aFailingSummariserLeavesTheSessionAsItIsAndIsReportedOnce() {
        policy(spec -> spec.put("strategy", "summarize").put("summarizer", "llm__summarize")
                .put("preserveRecentMessages", 2));
        fill(8);
        List<String> before = logged();

        answer(onlyCall(), null, "no quota");

        assertThat(logged()).isEqualTo(before);
        assertThat(compactions()).containsExactly("not compacted: the summariser failed: E_TOOL: no quota");
        append("m-8", user("short"), null);
        driver.advanceWallClockTime(Duration.ofSeconds(61));
        append("m-9", user("short"), null);
        drained();
        // Two new messages, and the pause is over.
        assertThat(compactions()).isEmpty();
        assertThat(output(Topic.CALL).isEmpty()).isFalse();
    }

    @Test
    void withinThePauseNothingIsTriedAgain() {
        policy(spec -> spec.put("strategy", "summarize").put("summarizer", "llm__summarize")
                .put("preserveRecentMessages", 1));
        fill(8);
        answer(onlyCall(), null, "no quota");

        for (int n = 8; n < 20; n++)
            append("m-" + n, user("short"), null);
        drained();

        assertThat(output(Topic.CALL).isEmpty()).isTrue();
    }

    @Test
    void withoutASummariserLongResultsAreShortened() {
        policy(spec -> spec.put("preserveRecentMessages", 2));
        append("a-1", assistant("c1"), "s1");
        result("c1", "s1", ResultStatus.OK, Json.MAPPER.writeValueAsString(LONG.repeat(8)));
        drained();
        // So far every message is preserved.
        assertThat(compactions()).hasSize(1);
        driver.advanceWallClockTime(Duration.ofSeconds(61));
        append("m-1", user("short"), null);
        append("m-2", user("short"), null);
        append("m-3", user("short"), null);
        drained();

        MessageEvent event = events.getLast();
        assertThat(event.type()).isEqualTo(MessageEvent.Type.COMPACTED);
        MessageCompaction compaction = requireNonNull(event.compaction());
        assertThat(event.message()).isNull();
        assertThat(compaction.removed()).isEmpty();
        assertThat(compaction.shortened()).singleElement().satisfies(message -> assertThat(message.data().toString())
                .contains("[Result truncated for context management]").contains("\"toolCallId\":\"c1\""));
        assertThat(logged()).hasSize(5).startsWith("a-1");
        assertThat(state().awaited()).isEmpty();
        assertThat(state().tokens()).isLessThan(2_000);
    }

    @Test
    void withoutAPolicyTheServiceWaitsForARequest() {
        fill(12);
        assertThat(state().status()).isEqualTo("exceeded");
        assertThat(compactions()).isEmpty();

        request();
        assertThat(compactions()).singleElement().asString().startsWith("not compacted: ");
    }

    @Test
    void aRequestWithinTheTargetChangesNothing() {
        append("m-1", user("short"), null);
        request();

        assertThat(compactions()).singleElement().asString().contains("within the target");
        assertThat(logged()).containsExactly("m-1");
    }

    @Test
    void messagesThatChangeWhileTheyAreSummarisedEndTheCompaction() {
        policy(spec -> spec.put("strategy", "summarize").put("summarizer", "llm__summarize")
                .put("preserveRecentMessages", 2));
        fill(8);
        ToolCall call = onlyCall();
        event(new MessageEvent(MessageEvent.Type.REMOVE, "i", "a", null, null, null, null, "m-1", null, null, "run",
                START));
        drained();

        answer(call, "Three builds failed.", null);

        assertThat(compactions()).containsExactly("not compacted: messages changed while they were summarised");
        assertThat(logged()).doesNotContain("m-1").contains("m-0", "m-2");
    }

    @Test
    void messagesThatComeMeanwhileStayBehindTheSummary() {
        policy(spec -> spec.put("strategy", "summarize").put("summarizer", "llm__summarize")
                .put("preserveRecentMessages", 2));
        fill(8);
        ToolCall call = onlyCall();
        append("late", user("short"), null);

        answer(call, "Three builds failed.", null);

        assertThat(logged()).endsWith("m-6", "m-7", "late");
    }

    @Test
    void aSummariserThatNeverAnswersEndsAfterItsTime() {
        policy(spec -> spec.put("strategy", "summarize").put("summarizer", "llm__summarize").put("timeout", "10s")
                .put("preserveRecentMessages", 2));
        fill(8);
        ToolCall call = onlyCall();
        driver.advanceWallClockTime(Duration.ofSeconds(30));
        assertThat(compactions()).isEmpty();
        driver.advanceWallClockTime(Duration.ofSeconds(15));
        assertThat(compactions()).containsExactly("not compacted: the summariser has not answered in time");

        answer(call, "Too late.", null);
        assertThat(logged()).hasSize(8);
    }

    @Test
    void onFailureDropTheOldestMessagesGo() {
        policy(spec -> spec.put("strategy", "summarize").put("summarizer", "llm__summarize").put("onFailure", "drop")
                .put("preserveRecentMessages", 2));
        fill(8);

        answer(onlyCall(), "", null);

        assertThat(logged()).hasSizeLessThan(8).endsWith("m-6", "m-7").doesNotContain("m-0");
        assertThat(compactions()).singleElement().asString().startsWith("compacted: ");
    }

    @Test
    void theWindowIsThatOfThePolicyAndThePromptCounts() {
        policy(spec -> spec.put("contextWindow", 100_000), "x ".repeat(30_000));
        append("m-1", user("short"), null);

        assertThat(state().usableTokens()).isEqualTo(100_000 - 4_096);
        policy(spec -> spec.put("contextWindow", 20_000), "x ".repeat(30_000));
        append("m-2", user("short"), null);
        assertThat(state().usableTokens()).isEqualTo(20_000 - 4_096);
        assertThat(state().status()).isIn("warning", "critical", "exceeded");
        assertThat(reports()).anySatisfy(report -> assertThat(report.message()).contains("and the prompt "));
    }

    @Test
    void aCompactionOfMessagesThatAreGoneIsRefusedAsAWhole() {
        append("m-1", user("one"), null);
        append("m-2", user("two"), null);
        event(new MessageEvent(MessageEvent.Type.COMPACTED, "i", "a", null, null, null, null, null, null, null, "run",
                START, new MessageCompaction(List.of("m-1", "gone"), List.of())));

        assertThat(logged()).containsExactly("m-1", "m-2");
        assertThat(reports()).anySatisfy(report -> assertThat(report.message()).contains("no message 'gone'"));
    }

    private void fill(int count) {
        for (int n = 0; n < count; n++)
            append("m-" + n, user(n + " " + LONG), null);
        drained();
    }

    private void request() {
        event(new MessageEvent(MessageEvent.Type.COMPACT, "i", "a", null, null, null, null, null, null, null, "ada",
                START));
        drained();
    }

    private ToolCall onlyCall() {
        TestOutputTopic<byte[], byte[]> calls = output(Topic.CALL);
        ToolCall call = WireCodec.of(ToolCall.class).read(calls.readRecord().value());
        assertThat(calls.isEmpty()).isTrue();
        return call;
    }

    private void answer(ToolCall call, @Nullable String summary, @Nullable String failure) {
        ObjectNode output = summary == null ? null : Json.MAPPER.createObjectNode().put("summary", summary);
        ToolError error = failure == null ? null : ToolError.of(ErrorCode.E_TOOL, failure);
        ToolResult result = new ToolResult(call.id(), call.name(), error == null ? ResultStatus.OK : ResultStatus.ERROR,
                output, null, error, call.instanceKey(), call.agentName(), call.turnId(), call.stepId(), 1, false, null,
                0, null, null);
        results.pipeInput(call.instanceKey().getBytes(StandardCharsets.UTF_8),
                WireCodec.of(ToolResult.class).write(result));
        drained();
    }

    private List<String> compactions() {
        return reports().stream().filter(report -> report.kind().equals("compaction")).map(SessionReport::message)
                .toList();
    }

    private List<SessionReport> reports() {
        drained();
        List<SessionReport> reports = new ArrayList<>();
        output(Topic.SESSION_REPORT).readRecordsToList()
                .forEach(record -> reports.add(WireCodec.of(SessionReport.class).read(record.value())));
        return reports;
    }

    private void policy(Consumer<ObjectNode> change) {
        policy(change, null);
    }

    private void policy(Consumer<ObjectNode> change, @Nullable String prompt) {
        ObjectNode agent = resource("goondan.ai/v1", "Agent", "a");
        agent.putObject("spec").putObject("prompt").put("system", prompt);
        ObjectNode policy = resource("toolfleet.dev/v1", "ContextPolicy", "short");
        change.accept(policy.putObject("spec"));
        RevisionPlan.of("acme", List.of(new RevisionPlan.Declared(agent, Map.of()),
                new RevisionPlan.Declared(policy, Map.of())), applied).entries().forEach(entry -> {
                    ResourceRecord value = entry.value();
                    applied.apply(entry.key(), value);
                    input(Topic.RESOURCE).pipeInput(entry.key().getBytes(StandardCharsets.UTF_8),
                            value == null ? null : WireCodec.of(ResourceRecord.class).write(value));
                });
    }

    private static ObjectNode resource(String apiVersion, String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }
}
