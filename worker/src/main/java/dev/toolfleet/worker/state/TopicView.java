package dev.toolfleet.worker.state;

import org.jspecify.annotations.Nullable;

/// What is known from a followed topic. Written by the follower's thread alone; readers are the view's own business.
public interface TopicView {
    /// The next record of a partition, in offset order. Whatever it throws is logged, and the record passed over.
    ///
    /// @param key empty for a record without one
    /// @param value null for a tombstone
    /// @param time of the record, in epoch milliseconds: when it was appended, on topics with `LogAppendTime`
    void apply(int partition, String key, byte @Nullable [] value, long time);

    /// The partition is no longer followed: forget it.
    void forget(int partition);
}
