package dev.toolfleet.worker.commit;

/// Reader of a group's committed offsets.
@FunctionalInterface
public interface CommittedOffsets {
    /// Waits for stable offsets of the partitions.
    CommittedPositions read(Iterable<Integer> partitions);
}
