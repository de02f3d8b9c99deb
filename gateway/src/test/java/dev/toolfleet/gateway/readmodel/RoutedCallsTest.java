package dev.toolfleet.gateway.readmodel;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.topology.CallRecords;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.identity.CallIdentity;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RoutedCallsTest {
    private static final HostPort PEER = new HostPort("gateway-2", 7073);
    private static final CallIdentity IDENTITY = CallIdentity.of(CallRecords.call("chat-1", "c1"), 0, 0);

    private final Replica own = new Replica();
    private final Replica peer = new Replica();
    private final Copy copy = new Copy();
    private final Copy peerCopy = new Copy();
    private final Map<Integer, Owners.Owner> owners = new HashMap<>(
            Map.of(0, new Owners.Owner.Self(), 1, new Owners.Owner.Other(PEER)));
    private final List<HostPort> copied = new ArrayList<>();
    private final Owners known = new Owners() {
        @Override
        public Optional<Owner> of(int partition) {
            return Optional.ofNullable(owners.get(partition));
        }

        @Override
        public Placement now() {
            return new Placement(Set.of(0), owners.containsKey(1) ? Map.of(PEER, Set.of(1)) : Map.of(),
                    owners.containsKey(1) ? Set.of() : Set.of(1));
        }

        @Override
        public List<HostPort> copiesOf(int partition) {
            return copied;
        }

        @Override
        public int partitions() {
            return 2;
        }

        @Override
        public int usualPartition(String instanceKey) {
            return 1;
        }
    };
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ReadCounts counts = new ReadCounts(meters);
    private final RoutedCalls calls = new RoutedCalls(known, own, host -> peer,
            new Copies(known, copy, host -> peerCopy, counts), counts);

    /// Replica with these answers; the last one stays.
    private static final class Replica implements PartitionReads {
        private final List<Answer<CallEvents>> events = new ArrayList<>();
        private Answer<CallView> view = new Answer.Unknown<>("not asked here");
        private Answer<CallId> found = new Answer.Unknown<>("not here");
        private final List<Integer> results = new ArrayList<>();

        @Override
        public Answer<CallView> find(CallId id, Duration patience) {
            return view;
        }

        @Override
        public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration patience, Duration wait) {
            return events.size() > 1 ? events.removeFirst() : events.getFirst();
        }

        @Override
        public Answer<CallId> callOf(Set<Integer> partitions, byte[] identity) {
            return found;
        }

        @Override
        public Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance) {
            return found;
        }

        @Override
        public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Duration wait) {
            results.add(partition);
            return new Answer.Found<>(new InstanceResults(List.of()));
        }

        @Override
        public Answer<CallPage> list(Set<Integer> partitions, CallFilter filter, @Nullable TopicPosition before,
                int limit) {
            return new Answer.Unavailable<>("not asked here");
        }

        @Override
        public Answer<FleetLoad> load(Set<Integer> partitions) {
            return new Answer.Unavailable<>("not asked here");
        }
    }

    /// Copies of one replica, at first none.
    private static final class Copy implements CopyReads {
        private Answer<CallEvents> events = new Answer.Unavailable<>("no copy");
        private Answer<CallId> found = new Answer.Unavailable<>("no copy");
        private final List<Set<Integer>> searched = new ArrayList<>();

        @Override
        public Answer<CallView> find(CallId id) {
            return new Answer.Unavailable<>("no copy");
        }

        @Override
        public Answer<CallEvents> events(CallId id, @Nullable EventId after) {
            return events;
        }

        @Override
        public Answer<CallId> callOf(Set<Integer> partitions, byte[] identity) {
            searched.add(partitions);
            return found;
        }

        @Override
        public Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance) {
            return found;
        }

        @Override
        public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit) {
            return new Answer.Unavailable<>("no copy");
        }
    }

    private static Answer<CallEvents> accepted(String id) {
        return new Answer.Found<>(new CallEvents(List.of(new CallEvent.Accepted(EventId.ACCEPTED, Instant.EPOCH,
                CallRecords.call("chat-1", id))), false));
    }

    private double counted(String source, String outcome) {
        return meters.get(ReadModelMeters.READS).tag(ReadModelMeters.SOURCE, source)
                .tag(ReadModelMeters.OUTCOME, outcome).counter().count();
    }

    @Test
    void readsAreCountedByThePlaceThatAnswered() {
        own.events.add(accepted("own"));
        peer.events.add(accepted("peer"));
        peer.events.add(new Answer.Unavailable<>("not reachable"));
        copied.add(PEER);
        peerCopy.events = accepted("copy");

        calls.events(new CallId(0, 7), null, Duration.ZERO);
        calls.events(new CallId(1, 7), null, Duration.ZERO);
        calls.events(new CallId(1, 7), null, Duration.ZERO);
        calls.callOf("chat-1", IDENTITY);

        assertThat(counted("own", "answered")).as("the call's, and the search").isEqualTo(2);
        assertThat(counted("owner", "answered")).as("the call's, and the search").isEqualTo(2);
        assertThat(counted("owner", "unavailable")).isEqualTo(1);
        assertThat(counted("copy", "unavailable")).as("this replica has none").isEqualTo(1);
        assertThat(counted("copy", "answered")).isEqualTo(1);
    }

    @Test
    void aReadGoesToTheOwnerOfThePartition() {
        own.events.add(accepted("own"));
        peer.events.add(accepted("peer"));

        assertThat(calls.events(new CallId(0, 7), null, Duration.ZERO)).isEqualTo(accepted("own"));
        assertThat(calls.events(new CallId(1, 7), null, Duration.ZERO)).isEqualTo(accepted("peer"));
    }

    @Test
    void aPartitionThatMovesIsReadAgainAtItsNewOwner() {
        peer.events.add(new Answer.Unavailable<>("moving"));
        peer.events.add(new Answer.Unavailable<>("moving"));
        peer.events.add(accepted("later"));

        assertThat(calls.events(new CallId(1, 7), null, Duration.ZERO)).isEqualTo(accepted("later"));
    }

    @Test
    void anIdentityIsLookedForAtEveryReplica() {
        assertThat(calls.callOf("chat-1", IDENTITY)).isEqualTo(new Answer.Unknown<>("not here"));
        peer.found = new Answer.Found<>(new CallId(1, 7));
        assertThat(calls.callOf("chat-1", IDENTITY)).isEqualTo(new Answer.Found<>(new CallId(1, 7)));
    }

    @Test
    void aReplicaThatIsSilentMakesNothingUnknown() {
        peer.found = new Answer.Unavailable<>("not reachable");
        assertThat(calls.callOf("chat-1", IDENTITY)).isEqualTo(new Answer.Unavailable<>("no copy"));

        own.found = new Answer.Found<>(new CallId(0, 7));
        assertThat(calls.callOf("chat-1", IDENTITY)).isEqualTo(new Answer.Found<>(new CallId(0, 7)));
    }

    @Test
    void aPartitionWithoutAnOwnerMakesNothingUnknown() {
        owners.remove(1);
        assertThat(calls.callOf("chat-1", IDENTITY)).isInstanceOf(Answer.Unavailable.class);
    }

    @Test
    void resultsAreReadWhereTheInstanceHasItsCalls() {
        calls.results("chat-1", null, 10, Duration.ZERO);
        own.found = new Answer.Found<>(new CallId(0, 7));
        calls.results("chat-1", null, 10, Duration.ZERO);
        calls.results("chat-1", new ResultPosition(1, 3), 10, Duration.ZERO);

        assertThat(peer.results).as("the usual place of an unknown instance, and that of a position")
                .containsExactly(1, 1);
        assertThat(own.results).containsExactly(0);
    }

    @Test
    void aPartitionThatDoesNotExistIsUnknownAtOnce() {
        assertThat(calls.find(new CallId(2, 0)))
                .isEqualTo(new Answer.Unknown<>("tool.call has the partitions 0 to 1"));
        assertThat(calls.results("chat-1", new ResultPosition(7, 3), 10, Duration.ofSeconds(30)))
                .isInstanceOf(Answer.Unknown.class);
    }

    @Test
    void aLimitAndAWaitThatCannotBeAreRejected() {
        assertThatThrownBy(() -> calls.results("chat-1", null, 0, Duration.ZERO)).hasMessageContaining("limit 0");
        assertThatThrownBy(() -> calls.results("chat-1", null, 1, Duration.ofSeconds(-1)))
                .hasMessageContaining("PT-1S");
    }

    @Test
    void answersAreReadAsTheyWereWritten() {
        for (Answer<CallEvents> answer : List.of(accepted("c1"), new Answer.Unknown<CallEvents>("no"),
                new Answer.Unavailable<CallEvents>("later")))
            assertThat(PeerAnswers.EVENTS.read(
                    PeerAnswers.EVENTS.write(answer).toString().getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(answer);
        assertThat(PeerAnswers.EVENTS.read(new byte[]{'{'})).isInstanceOf(Answer.Unavailable.class);
    }

    @Test
    void aCopyAnswersForAnOwnerThatIsNotReachable() {
        peer.events.add(new Answer.Unavailable<>("not reachable"));
        copied.add(PEER);
        peerCopy.events = accepted("copy");
        assertThat(calls.events(new CallId(1, 7), null, Duration.ZERO)).isEqualTo(accepted("copy"));

        copy.events = accepted("own copy");
        assertThat(calls.events(new CallId(1, 7), null, Duration.ZERO)).isEqualTo(accepted("own copy"));
    }

    @Test
    void aReaderWhomACopyTellsNothingNewWaitsForTheOwner() {
        peer.events.add(new Answer.Unavailable<>("not reachable"));
        peer.events.add(accepted("later"));
        copy.events = new Answer.Found<>(new CallEvents(List.of(), false));

        assertThat(calls.events(new CallId(1, 7), EventId.ACCEPTED, Duration.ofSeconds(30)))
                .isEqualTo(accepted("later"));
    }

    @Test
    void aCopyWithoutNewsIsReturnedWhenTheWaitIsOver() {
        peer.events.add(new Answer.Unavailable<>("not reachable"));
        copy.events = new Answer.Found<>(new CallEvents(List.of(), false));

        assertThat(calls.events(new CallId(1, 7), EventId.ACCEPTED, Duration.ofMillis(150))).isEqualTo(copy.events);
    }

    @Test
    void aCopyMakesNoCallUnknown() {
        peer.view = new Answer.Unavailable<>("not reachable");
        assertThat(calls.find(new CallId(1, 7))).isEqualTo(new Answer.Unavailable<>("not reachable"));
    }

    @Test
    void anIdentityIsLookedForInTheCopiesOfASilentReplica() {
        peer.found = new Answer.Unavailable<>("not reachable");
        copy.found = new Answer.Unknown<>("a young copy");
        assertThat(calls.callOf("chat-1", IDENTITY)).isInstanceOf(Answer.Unknown.class);

        copy.found = new Answer.Found<>(new CallId(1, 7));
        assertThat(calls.callOf("chat-1", IDENTITY)).isEqualTo(new Answer.Found<>(new CallId(1, 7)));
        assertThat(copy.searched).as("its partitions only").containsOnly(Set.of(1));
    }

    @Test
    void anIdentityIsLookedForInCopiesWhileThisReplicaReadsItsStateBack() {
        own.found = new Answer.Unavailable<>("restoring");
        copy.found = new Answer.Unknown<>("a young copy");
        assertThat(calls.callOf("chat-1", IDENTITY)).isInstanceOf(Answer.Unknown.class);
        assertThat(copy.searched).containsExactly(Set.of(0));
    }

    @Test
    void aCopyElsewhereIsSearchedWhereThisReplicaHasNone() {
        owners.remove(1);
        copied.add(PEER);
        peerCopy.found = new Answer.Found<>(new CallId(1, 7));
        assertThat(calls.callOf("chat-1", IDENTITY)).isEqualTo(new Answer.Found<>(new CallId(1, 7)));
        assertThat(peerCopy.searched).containsExactly(Set.of(1));
    }
}
