package dev.toolfleet.gateway.readmodel;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.topology.CallRecords;
import dev.toolfleet.http.HostPort;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

import static org.assertj.core.api.Assertions.assertThat;

/// Lists over three replicas: this one has the partitions 0 and 3, the others have 1 and 2, and 4.
class CallListsPropertyTest {
    private static final String SEED = "20261128";
    private static final HostPort SECOND = new HostPort("gateway-2", 7073);
    private static final HostPort THIRD = new HostPort("gateway-3", 7073);
    private static final Map<HostPort, Set<Integer>> OTHERS = Map.of(SECOND, Set.of(1, 2), THIRD, Set.of(4));
    private static final CallFilter RUNNING = new CallFilter(null, null, null, null, CallStage.RUNNING, false, null,
            null, null);

    private final ListReplica own = new ListReplica();
    private final ListReplica second = new ListReplica();
    private final ListReplica third = new ListReplica();
    private Owners.Placement placement = new Owners.Placement(Set.of(0, 3), OTHERS, Set.of());
    private final CallLists lists = new CallLists(new Owners() {
        @Override
        public Optional<Owner> of(int partition) {
            return Optional.empty();
        }

        @Override
        public Placement now() {
            return placement;
        }

        @Override
        public List<HostPort> copiesOf(int partition) {
            return List.of();
        }

        @Override
        public int partitions() {
            return 5;
        }

        @Override
        public int usualPartition(String instanceKey) {
            return 0;
        }
    }, new AllOwners(own, host -> host.equals(SECOND) ? second : third, new ReadCounts(new SimpleMeterRegistry())));

    private ListReplica replica(int partition) {
        return partition % 3 == 0 ? own : partition == 4 ? third : second;
    }

    private static CallSummary call(int partition, long offset, Instant at, CallStage stage) {
        ToolCall call = ToolCall.of("c" + offset, "n", Json.MAPPER.createObjectNode(), "chat-" + partition);
        return CallSummary.accepted(new CallId(partition, offset), call, at).in(stage, false);
    }

    private static <T> T found(Answer<T> answer) {
        if (answer instanceof Answer.Found<T>(T value))
            return value;
        throw new AssertionError(answer.toString());
    }

    /// Adds calls whose times do not go back in a partition, with gaps between offsets and calls of the same time.
    private List<CallSummary> fill(Random random) {
        List<CallSummary> all = new ArrayList<>();
        // One instance of this class has all tries.
        List.of(own, second, third).forEach(replica -> replica.calls.clear());
        long[] next = new long[5];
        Instant at = CallRecords.START;
        for (int i = random.nextInt(120); i > 0; i--) {
            int partition = random.nextInt(5);
            next[partition] += 1 + random.nextInt(3);
            at = at.plusMillis(random.nextInt(3));
            all.add(call(partition, next[partition], at,
                    random.nextBoolean() ? CallStage.RUNNING : CallStage.ACCEPTED));
        }
        all.forEach(each -> replica(each.id().partition()).calls.add(each));
        return all;
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF, seed = SEED)
    void pagesHaveEachCallOnceAndInOrderWhateverTheBudgets(@ForAll long seed) {
        Random random = new Random(seed);
        List<CallSummary> all = fill(random);
        for (ListReplica replica : List.of(own, second, third))
            replica.budget = random.nextBoolean() ? 1 + random.nextInt(10) : Integer.MAX_VALUE;
        CallFilter filter = random.nextBoolean() ? RUNNING : CallFilter.ALL;
        int limit = 1 + random.nextInt(20);

        List<CallSummary> seen = new ArrayList<>();
        TopicPosition before = null;
        int pages = 0;
        do {
            assertThat(pages++).as("pages").isLessThan(1_000);
            CallPage page = found(lists.list(filter, before, limit));
            assertThat(page.calls().size()).isLessThanOrEqualTo(limit);
            if (page.searchedTo() != null)
                assertThat(page.calls()).allMatch(call -> !call.acceptedAt().isBefore(page.searchedTo()));
            else
                assertThat(page.complete() || page.calls().size() == limit).isTrue();
            // Some pages are cut off by their reader, and read on there.
            CallPage shown = page.calls().size() > 1 && random.nextBoolean()
                    ? page.first(1 + random.nextInt(page.calls().size() - 1))
                    : page;
            seen.addAll(shown.calls());
            before = shown.next();
        } while (before != null);

        assertThat(seen.equals(all.stream().filter(filter::selects).sorted(CallSummary.NEWEST_FIRST).toList()))
                .as("all calls in order").isTrue();
    }

    @Example
    void partitionsWithoutAReachableOwnerAreMissing() {
        fill(new Random(1));
        placement = new Owners.Placement(Set.of(0), OTHERS, Set.of(3));
        third.silent = true;
        second.lost.add(2);

        CallPage page = found(lists.list(CallFilter.ALL, null, 1_000));

        assertThat(page.missing()).containsExactly(2, 3, 4);
        assertThat(page.calls()).extracting(call -> call.id().partition()).containsOnly(0, 1);
        assertThat(found(lists.load()).missing()).containsExactly(2, 3, 4);
    }

    @Example
    void aMissingPartitionContinuesWhereAnEarlierPageHasLeftIt() {
        List<CallSummary> all = fill(new Random(2));
        CallPage first = found(lists.list(CallFilter.ALL, null, 10));
        second.silent = true;
        CallPage without = found(lists.list(CallFilter.ALL, first.next(), 10));
        second.silent = false;
        CallPage rest = found(lists.list(CallFilter.ALL, without.next(), 1_000));

        List<CallSummary> seen = new ArrayList<>(first.calls());
        seen.addAll(without.calls());
        seen.addAll(rest.calls());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
        assertThat(without.missing()).containsExactly(1, 2);
    }

    @Example
    void aListIsUnavailableOnlyIfNothingCanBeRead() {
        own.silent = true;
        second.silent = true;
        third.silent = true;
        assertThat(lists.list(CallFilter.ALL, null, 10)).isEqualTo(new Answer.Unavailable<>("silent"));
        assertThat(lists.load()).isInstanceOf(Answer.Unavailable.class);

        placement = new Owners.Placement(Set.of(), Map.of(), Set.of(0, 1, 2, 3, 4));
        assertThat(lists.list(CallFilter.ALL, null, 10)).isInstanceOf(Answer.Unavailable.class);
        placement = new Owners.Placement(Set.of(), Map.of(THIRD, Set.of(4)), Set.of(0, 1, 2, 3));
        third.silent = false;
        assertThat(found(lists.list(CallFilter.ALL, null, 10)).missing()).containsExactly(0, 1, 2, 3);
    }

    @Example
    void loadsAreAddedUp() {
        List<CallSummary> all = fill(new Random(3));
        IntStream.range(0, 20).forEach(i -> own.calls.add(call(0, 1_000 + i, CallRecords.START, CallStage.PENDING)
                .in(CallStage.PENDING, i >= 15)));

        FleetLoad load = found(lists.load());

        assertThat(load.open()).as("without the 5 duplicates").isEqualTo(all.size() + 15L);
        assertThat(load.stages()).containsEntry(CallStage.PENDING, 15L);
        assertThat(load.tools()).singleElement().satisfies(tool -> assertThat(tool.open()).isEqualTo(load.open()));
        assertThat(load.instances()).hasSize(5).first()
                .satisfies(instance -> assertThat(instance.instanceKey()).isEqualTo("chat-0"));
        assertThat(load.minutes()).hasSize(60).last().isEqualTo(new FleetLoad.Minute(CallRecords.START, 9, 6, 3));
    }
}
