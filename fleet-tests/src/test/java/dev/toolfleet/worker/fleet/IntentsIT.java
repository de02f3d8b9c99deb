package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.wire.PartitionOwner;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Calls that must not run twice, and workers that come and go around them.
@EmbeddedKafkaTest
class IntentsIT {
    private static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);

    @TempDir
    private Path folder;

    @Test
    void whatADeadWorkerBeganIsReconciledOrUnknownAndNeverSimplyRunAgain(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            List<ToolCall> calls = Stream.of("nobody knows", "happened", "did not happen")
                    .map(how -> call(how, "t__write", "i", Map.of("tag", tag, "reconcile", how))).toList();
            for (ToolCall began : calls)
                fleet.send(Topic.JOURNAL, 0, identity(began), INTENTS.write(intent(began)));
            fleet.sendAll(calls);
            fleet.send(call("new", "t__write", "i", Map.of("tag", tag)));
            fleet.worker("w1");

            List<ToolResult> results = fleet.results(4);

            assertThat(requireNonNull(results.get(0).error()).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(requireNonNull(results.get(0).error()).suggestion()).as("tells a model what to do").isNotBlank();
            assertThat(requireNonNull(results.get(1).output()).path("id").asString()).isEqualTo("from the ledger");
            assertThat(requireNonNull(results.get(2).output()).path("id").asString()).isEqualTo("did not happen");
            assertThat(results).extracting(ToolResult::attempt).containsExactly(1, 1, 2, 1);
            assertThat(TestTools.probe(tag).started).containsExactly("did not happen", "new");
            assertThat(open(fleet)).as("every intent is closed with its result").isEmpty();
        }
    }

    @Test
    @DisplayName("X-07: a call whose worker loses its partition has one result, by the heir")
    void aRunningCallIsHandedOverWhenItsPartitionMoves(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            List<String> instances = List.of(instance(fleet, 0), instance(fleet, 1));
            List<ToolCall> calls = new ArrayList<>();
            for (String instance : instances) {
                fleet.announce(instance, "s1");
                calls.add(call("hold", "t__held", instance, Map.of("tag", tag)));
                calls.add(call("next", "t__write", instance, Map.of("tag", tag)));
            }
            fleet.worker("w1");
            fleet.sendAll(calls);
            await().atMost(Duration.ofSeconds(60)).until(() -> TestTools.probe(tag).started.size() == 2);
            fleet.worker("w2");
            TestTools.probe(tag).gate.countDown();

            List<ToolResult> results = fleet.results(4);

            assertThat(results).allMatch(result -> result.error() == null, "ran to its end")
                    .allMatch(result -> !result.replayed());
            for (String instance : instances) {
                assertThat(results.stream().filter(result -> result.instanceKey().equals(instance))
                        .map(ToolResult::toolCallId)).containsExactly("hold", "next");
            }
            assertThat(TestTools.probe(tag).started).as("each started once").hasSize(4);
            assertThat(open(fleet)).isEmpty();
        }
    }

    private static String instance(TestFleet fleet, int partition) {
        return Stream.iterate(0, n -> n + 1).map(n -> "i" + n).filter(name -> fleet.partition(name) == partition)
                .findFirst().orElseThrow();
    }

    /// Returns the identities whose newest record on the journal is an intent, once as many as there are calls were
    /// closed.
    private static List<String> open(TestFleet fleet) {
        List<String> open = new ArrayList<>();
        List<String> closed = new ArrayList<>();
        return fleet.first(Topic.JOURNAL, record -> {
            String identity = new String(record.key(), StandardCharsets.UTF_8);
            if (identity.equals(PartitionFrontier.KEY) || identity.equals(PartitionOwner.KEY))
                return Optional.empty();
            open.remove(identity);
            (record.value() == null ? closed : open).add(identity);
            return closed.size() < 4 ? Optional.empty() : Optional.of(open);
        });
    }

    private static String identity(ToolCall call) {
        return CallIdentity.of(call, 0, 0).text();
    }

    private static CallIntent intent(ToolCall call) {
        return new CallIntent(identity(call), Fingerprint.of(call.name(), call.args()), call.name(), 1, "dead", 1,
                Instant.now(), "dead-poll-1", Instant.now().plusSeconds(60), new ToolRef("test", "t", "write"));
    }
}
