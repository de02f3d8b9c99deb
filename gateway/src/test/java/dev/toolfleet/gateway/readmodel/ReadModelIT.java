package dev.toolfleet.gateway.readmodel;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.gateway.topology.CallRecords;
import dev.toolfleet.gateway.topology.IndexKey;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class ReadModelIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private Fleet fleet;

    @BeforeEach
    void on(KafkaFixture kafka) {
        fleet = new Fleet(kafka);
    }

    @AfterEach
    void stop() {
        fleet.close();
    }

    private static <T> T found(Answer<T> answer) {
        return switch (answer) {
            case Answer.Found<T>(T value) -> value;
            case Answer.Unknown<T>(String reason) -> throw new AssertionError("unknown: " + reason);
            case Answer.Unavailable<T>(String reason) -> throw new AssertionError("unavailable: " + reason);
        };
    }

    private CallId accepted(int partition, ToolCall call) {
        return new CallId(partition, fleet.write(partition, CallRecords.called(call, Instant.now())));
    }

    private void ended(CallId id, ToolCall call) {
        fleet.write(id.partition(),
                CallRecords.result(call, id.offset(), ResultStatus.OK, null, Instant.now()));
    }

    private static CallView awaitStage(CallReads reads, CallId id, CallStage stage) {
        AtomicReference<CallView> view = new AtomicReference<>();
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            CallView now = found(reads.find(id));
            assertThat(now.stage()).isEqualTo(stage);
            view.set(now);
        });
        return view.get();
    }

    @Test
    void anyReplicaAnswersForEveryPartition() {
        Fleet.Replica one = fleet.start(folder.resolve("one"));
        Fleet.Replica two = fleet.start(folder.resolve("two"));
        for (int partition = 0; partition < Fleet.PARTITIONS; partition++) {
            // The partition is the producer's choice: the instance's hash does not lead there.
            ToolCall call = CallRecords.call("chat/ü-" + partition, "c1");
            CallId id = accepted(partition, call);
            ended(id, call);
            for (Fleet.Replica replica : List.of(one, two)) {
                CallReads reads = replica.model().reads();
                CallView view = awaitStage(reads, id, CallStage.ENDED);
                assertThat(view.call()).isEqualTo(call);
                CallEvents events = found(reads.events(id, null, Duration.ZERO));
                assertThat(events.events()).hasExactlyElementsOfTypes(CallEvent.Accepted.class,
                        CallEvent.Result.class);
                assertThat(events.ended()).isTrue();
                assertThat(found(reads.callOf(call.instanceKey(), CallIdentity.of(call, partition, id.offset()))))
                        .isEqualTo(id);
                InstanceResults results = found(reads.results(call.instanceKey(), null, 10, Duration.ZERO));
                assertThat(results.results()).extracting(InstanceResults.One::call).containsExactly(id);
                assertThat(found(reads.results(call.instanceKey(), results.results().getLast().at(), 10,
                        Duration.ZERO)).results()).as("behind it").isEmpty();
            }
        }
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(awaitStage(one.model().reads(), new CallId(0, 0), CallStage.ENDED)).isNotNull();
            assertThat(one.forwarded() + two.forwarded()).as("reads that were forwarded").isPositive();
        });
        CallIdentity unknown = CallIdentity.of(CallRecords.call("nobody", "c9"), 0, 0);
        assertThat(two.model().reads().callOf("nobody", unknown)).isInstanceOf(Answer.Unknown.class);
    }

    @Test
    void anyReplicaListsTheCallsOfAllPartitionsAndTheirLoad() {
        List<CallReads> replicas = List.of(fleet.start(folder.resolve("one")).model().reads(),
                fleet.start(folder.resolve("two")).model().reads());
        List<CallId> ids = new ArrayList<>();
        for (int i = 0; i < 3 * Fleet.PARTITIONS; i++)
            ids.add(accepted(i % Fleet.PARTITIONS, CallRecords.call("chat/ü " + i % Fleet.PARTITIONS, "c" + i)));
        ended(ids.getFirst(), CallRecords.call("chat/ü 0", "c0"));

        for (CallReads reads : replicas) {
            awaitStage(reads, ids.getFirst(), CallStage.ENDED);
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                CallPage first = found(reads.list(CallFilter.ALL, null, 7));
                List<CallSummary> all = new ArrayList<>(first.calls());
                all.addAll(found(reads.list(CallFilter.ALL, first.next(), 7)).calls());
                assertThat(first.missing()).isEmpty();
                assertThat(all).isSortedAccordingTo(CallSummary.NEWEST_FIRST).extracting(CallSummary::id)
                        .containsExactlyInAnyOrderElementsOf(ids);
                FleetLoad load = found(reads.load());
                assertThat(load.open()).isEqualTo(ids.size() - 1L);
                assertThat(load.minutes().stream().mapToLong(FleetLoad.Minute::accepted).sum()).isEqualTo(ids.size());
            });
            assertThat(found(reads.list(new CallFilter("chat/ü 1", "coder", Glob.of("build__*"), null, null, true, null,
                    null, Instant.now().minusSeconds(3_600)), null, 10)).calls())
                    .extracting(call -> call.id().partition()).containsExactly(1, 1, 1);
        }
    }

    @Test
    void recordsThatArePlacedByHandleReachTheCallsPartition() {
        CallReads reads = fleet.start(folder.resolve("one")).model().reads();
        for (int i = 0; i < 8; i++) {
            ToolCall call = CallRecords.call("chat-" + i, "c1");
            CallId id = accepted(i % Fleet.PARTITIONS, call);
            PendingCall question = CallRecords.pending(call, id.partition(), id.offset(), "handle-" + i, "r1",
                    Instant.now());
            fleet.write(null, CallRecords.decided(Decision.approve("handle-" + i, "ann", "fine"), Instant.now()));
            fleet.write(id.partition(), CallRecords.result(call, id.offset(), ResultStatus.PENDING, "handle-" + i,
                    Instant.now()));
            fleet.write(null, CallRecords.waits(question, Instant.now()));
            CallView waiting = awaitStage(reads, id, CallStage.APPROVAL);
            assertThat(waiting.waitsFor()).extracting(it -> requireNonNull(it.approval()).rule()).isEqualTo("r1");
            fleet.write(null, CallRecords.closed("handle-" + i, Instant.now()));
            assertThat(awaitStage(reads, id, CallStage.RESUMED).decisions()).extracting(it -> it.by())
                    .containsExactly("ann");
        }
    }

    @Test
    void aReadAheadOfTheReadModelWaitsAndAnUnknownCallIsDecided() {
        CallReads reads = fleet.start(folder.resolve("one")).model().reads();
        ToolCall call = CallRecords.call("chat-1", "c1");
        CallId first = accepted(1, call);
        awaitStage(reads, first, CallStage.ACCEPTED);

        for (int i = 2; i < 20; i++) {
            CallId next = accepted(1, CallRecords.call("chat-1", "c" + i));
            assertThat(found(reads.find(next)).call().id()).as("durable, and perhaps not read yet").isEqualTo("c" + i);
        }

        fleet.write(1, new CallRecords.Written(Topic.CALL, "x", CallRecords.bytes("no call"),
                CallRecords.called(call, Instant.now()).headers(), Instant.now()));
        assertThat(reads.find(new CallId(1, first.offset() + 19))).isInstanceOf(Answer.Unknown.class);
        assertThat(reads.find(new CallId(1, 1_000))).as("behind the end")
                .isEqualTo(new Answer.Unknown<>("partition 1 of tool.call ends before it, at offset "
                        + (first.offset() + 20)));
        assertThat(reads.find(new CallId(Fleet.PARTITIONS, 0))).isEqualTo(new Answer.Unknown<>(
                "tool.call has the partitions 0 to " + (Fleet.PARTITIONS - 1)));
        assertThatThrownBy(() -> reads.events(first, null, Duration.ofSeconds(31)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("PT31S");
    }

    @Test
    void aReaderThatWaitsGetsTheNextEventFromWhicheverReplica() throws Exception {
        List<CallReads> replicas = List.of(fleet.start(folder.resolve("one")).model().reads(),
                fleet.start(folder.resolve("two")).model().reads());
        for (int partition = 0; partition < Fleet.PARTITIONS; partition++) {
            for (CallReads reads : replicas) {
                ToolCall call = CallRecords.call("chat-" + partition, "c" + reads.hashCode());
                CallId id = accepted(partition, call);
                CallEvents first = found(reads.events(id, null, Duration.ZERO));
                EventId seen = first.events().getLast().id();
                CompletableFuture<Answer<CallEvents>> events = CompletableFuture
                        .supplyAsync(() -> reads.events(id, seen, Duration.ofSeconds(30)), THREADS);
                ResultPosition last = last(reads, call.instanceKey());
                CompletableFuture<Answer<InstanceResults>> results = CompletableFuture.supplyAsync(
                        () -> reads.results(call.instanceKey(), last, 10, Duration.ofSeconds(30)), THREADS);
                fleet.write(partition, CallRecords.progress(call, id.offset(), 50, Instant.now()));
                assertThat(found(events.get(60, TimeUnit.SECONDS)).events())
                        .hasExactlyElementsOfTypes(CallEvent.Progress.class);
                ended(id, call);
                assertThat(found(results.get(60, TimeUnit.SECONDS)).results()).isNotEmpty();
            }
        }
    }

    private static @Nullable ResultPosition last(CallReads reads, String instance) {
        return found(reads.results(instance, null, 1000, Duration.ZERO)).results().stream()
                .map(InstanceResults.One::at).reduce((_, later) -> later).orElse(null);
    }

    @Test
    void theOtherReplicaAnswersForOneThatHasStopped() {
        Fleet.Replica one = fleet.start(folder.resolve("one"));
        CallReads two = fleet.start(folder.resolve("two")).model().reads();
        ToolCall call = CallRecords.call("chat-1", "c1");
        List<CallId> ids = IntStream.range(0, Fleet.PARTITIONS)
                .mapToObj(partition -> accepted(partition, call)).toList();
        ids.forEach(id -> awaitStage(one.model().reads(), id, CallStage.ACCEPTED));
        one.model().close();

        ids.forEach(id -> assertThat(awaitStage(two, id, CallStage.ACCEPTED).call()).isEqualTo(call));
    }

    @Test
    void theOtherReplicaAnswersForOneThatWasKilled() throws Exception {
        CallReads two = fleet.start(folder.resolve("two")).model().reads();
        ToolCall call = CallRecords.call("chat-1", "c1");
        List<CallId> ids;
        try (ChildJvm one = fleet.launch(folder.resolve("one"))) {
            one.awaitReady(Duration.ofSeconds(90));
            ids = IntStream.range(0, Fleet.PARTITIONS).mapToObj(partition -> accepted(partition, call)).toList();
            ids.forEach(id -> awaitStage(two, id, CallStage.ACCEPTED));
            one.kill();
        }
        ids.forEach(id -> ended(id, call));

        ids.forEach(id -> assertThat(awaitStage(two, id, CallStage.ENDED).call()).isEqualTo(call));
    }

    @Test
    void aCopyAnswersBeforeTheGroupMissesTheKilledReplica() throws Exception {
        // Long, so that no partition can be taken over while this test runs.
        fleet.set(Map.of("consumer.session.timeout.ms", "600000"));
        ReadModel model = fleet.start(folder.resolve("two")).model();
        CallReads two = model.reads();
        ToolCall call = CallRecords.call("chat-1", "c1");
        ToolCall other = CallRecords.call("chat-2", "c2");
        List<CallId> ids;
        try (PeerClient peers = Fleet.peers(); ChildJvm one = fleet.launch(folder.resolve("one"))) {
            one.awaitReady(Duration.ofSeconds(90));
            ids = IntStream.range(0, Fleet.PARTITIONS).mapToObj(partition -> accepted(partition, call)).toList();
            ids.forEach(id -> ended(id, call));
            awaitCopies(peers.copiesAt(HostPort.parse(model.address()).orElseThrow()), ids, other);
            one.kill();
        }

        for (CallId id : ids) {
            assertThat(awaitStage(two, id, CallStage.ENDED).call()).isEqualTo(call);
            CallEvents events = found(two.events(id, null, Duration.ZERO));
            assertThat(events.events()).hasExactlyElementsOfTypes(CallEvent.Accepted.class, CallEvent.Result.class);
            assertThat(found(two.events(id, events.events().getLast().id(), Duration.ZERO)))
                    .as("behind the last event").isEqualTo(new CallEvents(List.of(), true));
        }
        assertThat(found(two.callOf("chat-1", CallIdentity.of(call, 0, 0)))).isIn(ids);
        assertThat(two.callOf("chat-2", CallIdentity.of(other, 0, 0))).as("in young copies")
                .isInstanceOf(Answer.Unknown.class);
        Set<Integer> taken = new HashSet<>();
        for (int partition = 0; partition < Fleet.PARTITIONS; partition++) {
            CallId later = accepted(partition, other);
            if (two.find(later) instanceof Answer.Unavailable)
                taken.add(partition);
        }
        assertThat(taken).as("partitions of the killed replica: what it never read is not unknown").isNotEmpty();
    }

    /// Waits until the copies of a replica hold the results of these calls, and are young.
    private static void awaitCopies(CopyReads copies, List<CallId> ended, ToolCall unknown) {
        Set<Integer> all = ended.stream().map(CallId::partition).collect(Collectors.toSet());
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            for (CallId id : ended)
                assertThat(found(copies.find(id)).stage()).isEqualTo(CallStage.ENDED);
            assertThat(copies.callOf(all, IndexKey.digest(CallIdentity.of(unknown, 0, 0))))
                    .isInstanceOf(Answer.Unknown.class);
        });
    }

    @Test
    void aRestartKeepsCallsAndPositions() {
        Fleet.Replica before = fleet.start(folder.resolve("one"));
        ToolCall call = CallRecords.call("chat-1", "c1");
        CallId id = accepted(2, call);
        awaitStage(before.model().reads(), id, CallStage.ACCEPTED);
        fleet.write(2, new CallRecords.Written(Topic.CALL, "x", CallRecords.bytes("no call"),
                CallRecords.called(call, Instant.now()).headers(), Instant.now()));
        CallId malformed = new CallId(2, id.offset() + 1);
        assertThat(before.model().reads().find(malformed)).isInstanceOf(Answer.Unknown.class);
        before.model().close();

        CallReads after = fleet.start(folder.resolve("one")).model().reads();
        assertThat(awaitStage(after, id, CallStage.ACCEPTED).call()).isEqualTo(call);
        assertThat(after.find(malformed)).isInstanceOf(Answer.Unknown.class);
    }
}
