package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.LoadCount;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.topology.CallRecords;
import org.jspecify.annotations.Nullable;

/// Replica that lists calls in memory. It looks at some calls only for each page.
final class ListReplica implements PartitionReads {
    final List<CallSummary> calls = new ArrayList<>();
    final List<CallFilter> filters = new ArrayList<>();
    final Set<Integer> lost = new TreeSet<>();
    int budget = Integer.MAX_VALUE;
    boolean silent;

    @Override
    public Answer<CallPage> list(Set<Integer> partitions, CallFilter filter, @Nullable TopicPosition before,
            int limit) {
        filters.add(filter);
        if (silent)
            return new Answer.Unavailable<>("silent");
        Map<Integer, Long> below = before == null ? Map.of() : before.offsets();
        List<CallSummary> left = new ArrayList<>(calls.stream()
                .filter(call -> partitions.contains(call.id().partition())
                        && !lost.contains(call.id().partition())
                        && call.id().offset() < below.getOrDefault(call.id().partition(), Long.MAX_VALUE))
                .sorted(CallSummary.NEWEST_FIRST).toList());
        SortedMap<Integer, Long> end = new TreeMap<>();
        partitions.stream().filter(partition -> !lost.contains(partition)).forEach(partition -> end.put(partition, 0L));
        List<CallSummary> found = new ArrayList<>();
        int looked = 0;
        while (!left.isEmpty() && found.size() < limit && looked++ < budget) {
            CallSummary call = left.removeFirst();
            if (filter.selects(call))
                found.add(call);
        }
        return new Answer.Found<>(new CallPage(found, CallPage.before(left, new TopicPosition(end)), left.isEmpty(),
                left.isEmpty() || found.size() == limit ? null : left.getFirst().acceptedAt(), lost));
    }

    @Override
    public Answer<FleetLoad> load(Set<Integer> partitions) {
        if (silent)
            return new Answer.Unavailable<>("silent");
        LoadCount count = new LoadCount();
        count.addHour(CallRecords.START);
        count.add(new FleetLoad.Minute(CallRecords.START, 3, 2, 1));
        calls.forEach(count::add);
        return new Answer.Found<>(count.load(CallLists.INSTANCES_OF_ONE, lost));
    }

    @Override
    public Answer<CallView> find(CallId id, Duration patience) {
        return new Answer.Unavailable<>("lists only");
    }

    @Override
    public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration patience, Duration wait) {
        return new Answer.Unavailable<>("lists only");
    }

    @Override
    public Answer<CallId> callOf(Set<Integer> partitions, byte[] identity) {
        return new Answer.Unavailable<>("lists only");
    }

    @Override
    public Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance) {
        return new Answer.Unavailable<>("lists only");
    }

    @Override
    public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Duration wait) {
        return new Answer.Unavailable<>("lists only");
    }
}
