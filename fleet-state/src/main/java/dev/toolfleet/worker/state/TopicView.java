package dev.toolfleet.worker.state;

import org.jspecify.annotations.Nullable;

/// View of a followed topic. Only the follower's thread writes; each view defines its own readers.
public interface TopicView {
    /// Applies the next record of a partition, in offset order. An exception is logged, and the record is skipped.
    ///
    /// @param key empty for a record without one
    /// @param value null for a tombstone
    /// @param time of the record, in epoch milliseconds: its append time on topics with `LogAppendTime`
    void apply(int partition, String key, byte @Nullable [] value, long time);

    /// Forgets a partition that is no longer followed.
    void forget(int partition);
}
