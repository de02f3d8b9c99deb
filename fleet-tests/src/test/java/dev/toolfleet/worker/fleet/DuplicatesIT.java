package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Calls that are written twice, or read twice.
@EmbeddedKafkaTest
class DuplicatesIT {
    @TempDir
    private Path folder;

    @Test
    void aDuplicateIsAnsweredWithTheEarlierResultAlsoByTheNextWorker(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            ToolCall first = call("c1", "t__write", "i", Map.of("tag", tag));
            ToolCall other = call("c1", "t__write", "i", Map.of("tag", tag, "other", true));
            Worker worker = fleet.worker("w1");
            fleet.sendAll(List.of(first, first, other));
            fleet.results(3);
            worker.close();
            fleet.worker("w2");
            fleet.sendAll(List.of(first, other));

            List<ToolResult> results = fleet.results(5);

            assertThat(TestTools.probe(tag).started).containsExactly("c1");
            assertThat(results).extracting(ToolResult::replayed).containsExactly(false, true, false, true, false);
            assertThat(results).extracting(ToolResult::callOffset).containsExactly(0L, 1L, 2L, 3L, 4L);
            assertThat(List.of(results.get(0), results.get(1), results.get(3))).extracting(ToolResult::output)
                    .containsOnly(results.getFirst().output());
            assertThat(List.of(results.get(2), results.get(4)))
                    .extracting(result -> requireNonNull(result.error())).extracting(ToolError::code)
                    .containsOnly("E_CALL_IDENTITY_CONFLICT");
        }
    }

    @Test
    void aKeyIsOneCallWhateverItsIdAndStepAlsoForTheNextWorker(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            ToolCall first = call("c1", "t__write", "i", Map.of("tag", tag)).named("order-1");
            ToolCall retried = call("c2", "t__write", "i", Map.of("tag", tag)).inStep(TestFleet.AGENT, "t1", "s2", 0)
                    .named("order-1");
            ToolCall other = call("c3", "t__write", "i", Map.of("tag", tag, "other", true)).named("order-1");
            ToolCall unnamed = call("c1", "t__write", "i", Map.of("tag", tag));
            Worker worker = fleet.worker("w1");
            fleet.sendAll(List.of(first, retried, other, unnamed));
            fleet.results(4);
            worker.close();
            fleet.worker("w2");
            fleet.sendAll(List.of(retried, other));

            List<ToolResult> results = fleet.results(6);

            assertThat(TestTools.probe(tag).started).as("one call by its key, one by its step")
                    .containsExactly("c1", "c1");
            assertThat(results).extracting(ToolResult::replayed).containsExactly(false, true, false, false, true,
                    false);
            assertThat(results).extracting(ToolResult::toolCallId).containsExactly("c1", "c2", "c3", "c1", "c2", "c3");
            assertThat(List.of(results.get(2), results.get(5)))
                    .extracting(result -> requireNonNull(result.error())).allSatisfy(error -> {
                        assertThat(error.code()).isEqualTo("E_CALL_IDENTITY_CONFLICT");
                        assertThat(error.message()).contains("idempotencyKey 'order-1'");
                    });
        }
    }

    @Test
    void readOnlyTwinsThatAreReadTogetherRunOnce(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            ToolCall twin = call("c1", "t__read", "i", Map.of("tag", tag, "ms", 300));
            fleet.sendAll(List.of(twin, twin, twin));
            fleet.worker("w1");

            assertThat(fleet.results(3)).extracting(ToolResult::replayed).containsExactlyInAnyOrder(false, true, true);
            assertThat(TestTools.probe(tag).started).containsExactly("c1");
        }
    }

    // The window counts append times: what was written together stays together, however long the backlog takes.
    @Test
    void aDuplicateBehindABacklogThatIsLongerThanTheWindowIsReplayed(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("dedupe.window", "500ms")) {
            fleet.announce("i", "s1");
            ToolCall twice = call("c1", "t__write", "i", Map.of("tag", tag));
            List<ToolCall> backlog = new ArrayList<>();
            backlog.add(twice);
            for (int n = 0; n < 4; n++)
                backlog.add(call("slow" + n, "t__write", "i", Map.of("tag", tag, "ms", 500)));
            backlog.add(twice);
            fleet.sendAll(backlog);
            Worker first = fleet.worker("w1");
            fleet.results(3);
            first.close();
            fleet.worker("w2");

            List<ToolResult> results = fleet.results(6);

            assertThat(results.getLast().replayed()).isTrue();
            assertThat(TestTools.probe(tag).started).doesNotHaveDuplicates().hasSize(5);
        }
    }

    @Test
    void aFleetWhoseOffsetsAreGoneRunsNothingThatWasAnswered(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            List<ToolCall> calls = IntStream.range(0, 60)
                    .mapToObj(n -> call("c" + n, n % 2 == 0 ? "t__write" : "t__read", "i" + n % 6, Map.of("tag", tag)))
                    .toList();
            for (int n = 0; n < 6; n++)
                fleet.announce("i" + n, "s1");
            fleet.sendAll(calls);
            // A call without step is known by its record alone.
            fleet.send(ToolCall.of("bare", "t__read", calls.getFirst().args(), "i0"));
            Worker first = fleet.worker("w1");
            fleet.results(61);
            first.close();
            kafka.admin().deleteConsumerGroups(List.of(fleet.group())).all().get();
            fleet.worker("w2");
            fleet.sendAll(IntStream.range(0, 6)
                    .mapToObj(n -> call("after", "t__write", "i" + n, Map.of("tag", tag))).toList());

            List<ToolResult> results = fleet.results(67);

            assertThat(results).extracting(ToolResult::replayed).as("a record that is read twice is simply done")
                    .containsOnly(false);
            assertThat(TestTools.probe(tag).started.stream().filter(id -> !id.equals("after")))
                    .doesNotHaveDuplicates();
        }
    }
}
