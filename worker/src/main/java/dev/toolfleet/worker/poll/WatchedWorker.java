package dev.toolfleet.worker.poll;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.identity.PendingTool;
import dev.toolfleet.worker.lane.LaneSnapshot;
import dev.toolfleet.worker.lane.Lanes;
import dev.toolfleet.worker.state.TopicOffsets;
import org.apache.kafka.common.TopicPartition;

/// The parts of a worker that [LoadWatch] looks at.
record WatchedWorker(String callTopic, Lanes laneQueues, PollLoop poll, IntSupplier waiting, PartitionStates states,
        TopicOffsets offsets) implements LoadWatch.Watched {
    @Override
    public LaneSnapshot lanes() {
        return laneQueues.look();
    }

    @Override
    public LaneSnapshot.Full whyFull(int partition, long epoch, LaneSnapshot.Load load) {
        return laneQueues.whyFull(partition, epoch, load);
    }

    @Override
    public OwnershipCounts partitions() {
        return poll.partitions();
    }

    @Override
    public int waitingForTools() {
        return waiting.getAsInt();
    }

    @Override
    public Map<Optional<ToolRef>, PendingTool> pendingByTool() {
        return states.pendingByTool();
    }

    @Override
    public Map<Integer, Long> ends(Collection<Integer> of) {
        return offsets.committedEnds(of.stream().map(number -> new TopicPartition(callTopic, number)).toList())
                .entrySet().stream()
                .collect(Collectors.toMap(end -> end.getKey().partition(), Map.Entry::getValue));
    }
}
