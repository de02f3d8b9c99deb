package dev.toolfleet.gateway.readmodel;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.topology.CallFeed;
import dev.toolfleet.gateway.topology.CallRecords;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.FleetServer;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.wire.ResultStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Lists of another replica, over its internal address.
class PeerListsTest {
    private static final Optional<BearerToken> TOKEN = Optional
            .of(new BearerToken("gateway.internal.token", "0123456789abcdef"));
    private static final Set<Integer> PARTITIONS = Set.of(1, 2);

    private final ListReplica replica = new ListReplica();
    private final FleetServer server = new FleetServer(
            new HttpConfig("gateway.internal", HttpConfig.DEFAULT_ADDRESS, 0, TOKEN, Optional.empty()));
    private final PeerClient client = new PeerClient(TOKEN);

    @BeforeEach
    void start() {
        OwnCopies none = new OwnCopies(Optional::empty, (partition, position) -> false);
        server.start(List.of(new PeerRoute(replica, none)), "", new SimpleMeterRegistry());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private PartitionReads peer() {
        return client.at(HostPort.parse(server.reachedAt().toString()).orElseThrow());
    }

    private static CallSummary call(int partition, long offset) {
        return CallSummary.accepted(new CallId(partition, offset), CallRecords.call("chat/ü 1", "c" + offset),
                CallRecords.START.plusSeconds(offset));
    }

    static List<CallFilter> filters() {
        Instant since = Instant.parse("2026-11-24T18:00:00.123Z");
        return List.of(CallFilter.ALL, CallFilter.OPEN,
                new CallFilter("chat/ü&=+ %2F?#", "agent x", Glob.of("bash__*"), "ann@example.com",
                        CallStage.APPROVAL, true, ResultStatus.ERROR, "E_TOOL", since),
                new CallFilter(null, null, null, null, CallStage.ENDED, false, ResultStatus.OK, null, null));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void anotherReplicaGetsTheFilterAsItIs(CallFilter filter) {
        peer().list(PARTITIONS, filter, null, 10);

        assertThat(replica.filters).containsExactly(filter);
    }

    @Test
    void aPageComesAsItWasRead() {
        for (int i = 0; i < 10; i++)
            replica.calls.add(call(1 + i % 2, i));
        replica.calls.set(3, replica.calls.get(3).ended(ResultStatus.ERROR, "E_TOOL", CallRecords.START, true));
        replica.budget = 5;
        TopicPosition before = new TopicPosition(new TreeMap<>(Map.of(1, 9L, 7, 3L)));

        for (TopicPosition from : new TopicPosition[]{before, new TopicPosition(new TreeMap<>(Map.of(7, 3L))), null}) {
            Answer<CallPage> page = peer().list(PARTITIONS, CallFilter.ALL, from, 10);

            assertThat(page).isEqualTo(replica.list(PARTITIONS, CallFilter.ALL, from, 10))
                    .isInstanceOf(Answer.Found.class);
        }
    }

    @Test
    void theLoadComesAsItWasRead() {
        for (int i = 0; i < 10; i++)
            replica.calls.add(call(1, i));
        replica.lost.add(2);

        assertThat(peer().load(PARTITIONS)).isEqualTo(replica.load(PARTITIONS)).isInstanceOf(Answer.Found.class);
    }

    @Test
    void aReplicaThatIsSilentIsUnavailable() {
        replica.silent = true;
        assertThat(peer().list(PARTITIONS, CallFilter.ALL, null, 10)).isEqualTo(new Answer.Unavailable<>("silent"));
        server.close();
        assertThat(peer().list(PARTITIONS, CallFilter.ALL, null, 10)).isInstanceOf(Answer.Unavailable.class);
        assertThat(peer().load(PARTITIONS)).isInstanceOf(Answer.Unavailable.class);
    }

    @Test
    void aReplicaWithoutStoresIsUnavailable() {
        OwnCalls moving = new OwnCalls(Optional::empty, new CallFeed(),
                (partition, patience) -> OptionalLong.empty(), () -> Instant.EPOCH);

        assertThat(moving.list(PARTITIONS, CallFilter.ALL, null, 10)).isInstanceOf(Answer.Unavailable.class);
        assertThat(moving.load(PARTITIONS)).isInstanceOf(Answer.Unavailable.class);
    }
}
