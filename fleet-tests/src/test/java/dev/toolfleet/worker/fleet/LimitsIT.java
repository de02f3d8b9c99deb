package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Bounds hold, and what is visible is committed.
@EmbeddedKafkaTest
class LimitsIT {
    @TempDir
    private Path folder;

    @Test
    void backpressureHoldsMaxInFlightAndLosesNothing(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 4).with("maxInFlight", "8")) {
            List<ToolCall> calls = new ArrayList<>();
            fleet.announceAll(IntStream.range(0, 200).mapToObj(n -> "i" + n), "s1");
            for (int n = 0; n < 200; n++) {
                calls.add(call("c" + n, "t__write", "i" + n, Map.of("tag", tag, "ms", 5)));
            }
            Worker worker = fleet.worker("w1");
            AtomicInteger most = new AtomicInteger();
            AtomicBoolean ended = new AtomicBoolean();
            Thread watch = Thread.ofPlatform().start(() -> {
                while (!ended.get()) {
                    most.accumulateAndGet(worker.inFlight(), Math::max);
                    LockSupport.parkNanos(100_000);
                }
            });
            fleet.sendAll(calls);

            assertThat(fleet.results(200).stream().map(ToolResult::toolCallId)).doesNotHaveDuplicates();
            ended.set(true);
            watch.join();

            assertThat(TestTools.probe(tag).most.get()).isBetween(2, 8);
            assertThat(most.get()).isBetween(2, 8);
        }
    }

    @Test
    void hotInstanceSlowsNoOtherPartition(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("lane.maxQueued", "5").with("drain.timeout",
                "0s")) {
            String hot = "hot";
            String other = IntStream.range(0, 100).mapToObj(n -> "other" + n)
                    .filter(name -> fleet.partition(name) != fleet.partition(hot)).findFirst().orElseThrow();
            fleet.announce(hot, "s1");
            fleet.announce(other, "s1");
            fleet.worker("w1");
            List<ToolCall> calls = new ArrayList<>();
            for (int n = 0; n < 50; n++)
                calls.add(call("hold" + n, "t__held", hot, Map.of("tag", tag)));
            for (int n = 0; n < 50; n++)
                calls.add(call("c" + n, "t__held", other, Map.of("tag", tag)));
            fleet.sendAll(calls);

            assertThat(fleet.results(50)).allMatch(result -> result.instanceKey().equals(other));
            TestTools.probe(tag).gate.countDown();
            assertThat(fleet.results(100)).hasSize(100);
        }
    }

    @Test
    void committedReadersNeverSeeAResultWhoseOffsetIsNotCommitted(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announceAll(IntStream.range(0, 10).mapToObj(i -> "i" + i), "s1");
            fleet.worker("w1");
            TopicPartition partition = new TopicPartition(fleet.topics.name(Topic.CALL), 0);
            for (int round = 1; round <= 5; round++) {
                int sent = round * 20;
                fleet.sendAll(IntStream.range(sent - 20, sent)
                        .mapToObj(n -> call("c" + n, "t__write", "i" + n % 10, Map.of("tag", tag))).toList());
                List<ToolResult> seen = fleet.results(sent);
                // Everything up to here was answered, so its offset must be committed by now, without any wait.
                var offset = kafka.admin().listConsumerGroupOffsets(fleet.group()).partitionsToOffsetAndMetadata().get()
                        .get(partition);
                assertThat(requireNonNull(offset).offset())
                        .isEqualTo(seen.stream().mapToLong(ToolResult::callOffset).max().orElseThrow() + 1);
            }
        }
    }

    @Test
    void metadataOfThousandsOfGapsStaysWithinItsBound(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("drain.timeout", "0s")) {
            List<ToolCall> calls = new ArrayList<>();
            fleet.announceAll(IntStream.range(0, 3_000).boxed().flatMap(n -> Stream.of("h" + n, "q" + n)), "s1");
            for (int n = 0; n < 3_000; n++) {
                calls.add(call("hold" + n, "t__held", "h" + n, Map.of("tag", tag)));
                calls.add(call("q" + n, "t__held", "q" + n, Map.of("tag", tag)));
            }
            fleet.sendAll(calls);
            fleet.worker("w1");
            assertThat(fleet.results(1_000)).hasSizeGreaterThanOrEqualTo(1_000);
            TestTools.probe(tag).gate.countDown();

            assertThat(fleet.results(6_000).stream().map(ToolResult::toolCallId)).doesNotHaveDuplicates();
        }
    }
}
