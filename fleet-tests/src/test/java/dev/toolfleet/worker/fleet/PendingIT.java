package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Calls that finish later, from the call to its final result. One fleet, whose clock the tests move; each test has an
/// instance of its own.
@EmbeddedKafkaTest
class PendingIT {
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;
    private static @Nullable TestFleet shared;
    private static volatile Duration ahead = Duration.ZERO;

    @BeforeAll
    static void start(KafkaFixture kafka) throws InterruptedException {
        TestFleet fleet = new TestFleet(kafka, folder, 2).with("dedupe.window", "1ms").with("dedupe.maxEntries", "1");
        shared = fleet;
        InstantSource clock = () -> Instant.now().plus(ahead);
        fleet.worker("w1", new SimpleMeterRegistry(), clock);
    }

    @AfterAll
    static void stop() {
        if (shared != null)
            shared.close();
    }

    @Test
    void aCompletionEndsTheCallOnceAndLaterOnesAreDeadLetters() {
        ToolCall call = pending("complete", "h-complete", Map.of());

        complete(Completion.progress("h-complete", new Progress(10.0, "compiling"), null));
        complete(Completion.completed("h-complete", StringNode.valueOf("built"), null));
        complete(Completion.failed("h-complete", new ToolError("E_BUILD", null, "too late", null, null), null));

        ToolResult result = fleet().result(call, ToolResult::isFinal);
        assertThat(result.output()).isEqualTo(StringNode.valueOf("built"));
        assertThat(result.callOffset()).isEqualTo(firstResult(call).callOffset());
        assertThat(deadLetter("h-complete")).isEqualTo("late");
        assertThat(finals(call)).isEqualTo(1);
    }

    @Test
    void aCompletionMayComeBeforeItsCall() {
        complete(Completion.failed("h-early", new ToolError("E_BUILD", null, "link failed", null, null), null));

        ToolCall call = pending("early", "h-early", Map.of());

        assertThat(error(call).message()).isEqualTo("link failed");
        assertThat(firstResult(call).status()).isEqualTo(ResultStatus.PENDING);
    }

    @Test
    void onlyTheTokenCompletes() {
        ToolCall call = pending("token", "h-token", Map.of("token", "s3cret"));

        complete(Completion.completed("h-token", StringNode.valueOf("forged"), "guess"));
        complete(Completion.completed("h-token", StringNode.valueOf("forged"), null));
        complete(Completion.completed("h-token", StringNode.valueOf("true"), "s3cret"));

        assertThat(fleet().result(call, ToolResult::isFinal).output()).isEqualTo(StringNode.valueOf("true"));
        assertThat(deadLetter("h-token")).isEqualTo("wrong-token");
    }

    @Test
    void theLaterOfTwoCallsWithOneHandleEnds() {
        ToolCall first = pending("conflict", "h-conflict", Map.of());
        ToolCall later = call("conflict", "c2", "h-conflict", Map.of());
        fleet().send(later);

        assertThat(error(later).code()).isEqualTo("E_TOOL_HANDLE_CONFLICT");
        complete(Completion.completed("h-conflict", StringNode.valueOf("the first one's"), null));
        assertThat(fleet().result(first, ToolResult::isFinal).output())
                .isEqualTo(StringNode.valueOf("the first one's"));
    }

    @Test
    void whatIsNoCompletionIsADeadLetterAndStopsNothing() {
        fleet().send(Topic.COMPLETION, 0, "h-bad", "not json".getBytes(StandardCharsets.UTF_8));
        assertThat(deadLetter("h-bad")).startsWith("malformed: ");

        complete("h-percent", "{\"handle\":\"h-percent\",\"kind\":\"progress\",\"progress\":{\"percent\":400}}");
        assertThat(deadLetter("h-percent")).contains("400");

        ToolCall call = pending("after", "h-after", Map.of());
        complete(Completion.completed("h-after", null, null));
        assertThat(fleet().result(call, ToolResult::isFinal).status()).isEqualTo(ResultStatus.OK);
    }

    // The clock is everybody's, so all that waits for it is in one test.
    @Test
    void timeEndsWhatDoesNotEndItselfAndForgetsNoOpenHandle() {
        String tag = "time";
        ToolCall overdue = call("time", "overdue", "h-overdue", Map.of())
                .until(Instant.now().plus(ahead).plus(Duration.ofMinutes(30)));
        fleet().announce("time", "s1");
        fleet().send(overdue);
        ToolCall silent = call("silent", "c1", "h-silent", Map.of("silentSeconds", 60));
        fleet().announce("silent", "s1");
        fleet().send(silent);
        ToolCall open = pending("open", "h-open", Map.of("tag", tag));
        assertThat(firstResult(overdue).status()).isEqualTo(ResultStatus.PENDING);
        assertThat(firstResult(silent).status()).isEqualTo(ResultStatus.PENDING);
        complete(Completion.completed("h-nobody", null, null));
        // Placed behind it in its partition, so that it was read when this ends.
        ToolCall behind = pending("behind", "h-behind", Map.of());
        for (int partition = 0; partition < fleet().partitions; partition++)
            fleet().send(Topic.COMPLETION, partition, "h-behind", COMPLETIONS.write(Completion.completed("h-behind",
                    null, null)));
        fleet().result(behind, ToolResult::isFinal);

        ahead = ahead.plus(Duration.ofMinutes(5));
        assertThat(error(silent).code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
        assertThat(error(silent).message()).contains("heartbeat");
        assertThat(finals(overdue)).isZero();

        ahead = ahead.plus(Duration.ofHours(2));
        assertThat(error(overdue).code()).isEqualTo("E_TOOL_HANDLE_EXPIRED");
        assertThat(error(overdue).message()).contains("deadline");
        assertThat(deadLetter("h-nobody")).isEqualTo("unknown-handle");

        // Its answer is long forgotten: the window keeps one entry, and others came after it.
        fleet().send(open);
        ToolResult again = fleet().result(open, ToolResult::replayed);
        assertThat(again.status()).isEqualTo(ResultStatus.PENDING);
        assertThat(again.handle()).isEqualTo("h-open");
        complete(Completion.completed("h-open", StringNode.valueOf("done"), null));
        assertThat(fleet().result(open, ToolResult::isFinal).output()).isEqualTo(StringNode.valueOf("done"));
        assertThat(TestTools.probe(tag).started).as("the duplicate started nothing").containsExactly("c1");
    }

    private static ToolCall pending(String instance, String handle, Map<String, Object> more) {
        ToolCall call = call(instance, "c1", handle, more);
        fleet().announce(instance, "s1");
        fleet().send(call);
        assertThat(firstResult(call).handle()).isEqualTo(handle);
        return call;
    }

    private static ToolCall call(String instance, String id, String handle, Map<String, Object> more) {
        Map<String, Object> args = new HashMap<>(more);
        args.put("handle", handle);
        return TestFleet.call(id, "t__pend", instance, args);
    }

    private static ToolResult firstResult(ToolCall call) {
        return fleet().result(call, result -> true);
    }

    private static ToolError error(ToolCall call) {
        return requireNonNull(fleet().result(call, ToolResult::isFinal).error());
    }

    /// Returns the number of final results that a call has now: those before a result that is requested now, in its
    /// partition.
    private static int finals(ToolCall call) {
        ToolCall last = TestFleet.call("last-" + System.nanoTime(), "t__pend", call.instanceKey(),
                Map.of("handle", "h-" + System.nanoTime()));
        fleet().send(last);
        List<ToolResult> found = new ArrayList<>();
        fleet().first(Topic.RESULT, record -> {
            ToolResult result = TestFleet.result(record);
            if (result.instanceKey().equals(call.instanceKey()) && result.toolCallId().equals(call.id())
                    && result.isFinal() && !result.replayed())
                found.add(result);
            return result.toolCallId().equals(last.id()) ? Optional.of(found) : Optional.empty();
        });
        return found.size();
    }

    private static void complete(Completion completion) {
        fleet().send(Topic.COMPLETION, 0, completion.handle(), COMPLETIONS.write(completion));
    }

    private static void complete(String handle, String json) {
        fleet().send(Topic.COMPLETION, 0, handle, json.getBytes(StandardCharsets.UTF_8));
    }

    /// Why the first dead letter of that key is one.
    private static String deadLetter(String key) {
        return fleet().first(Topic.DEAD_LETTER, record -> key.equals(key(record)) ? reason(record) : Optional.empty());
    }

    private static @Nullable String key(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
    }

    private static Optional<String> reason(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(WireHeaders.REASON);
        return header == null ? Optional.empty() : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
    }

    private static TestFleet fleet() {
        return requireNonNull(shared);
    }
}
