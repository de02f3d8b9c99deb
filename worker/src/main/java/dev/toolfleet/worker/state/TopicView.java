package dev.toolfleet.worker.state;

import org.jspecify.annotations.Nullable;

/// What is known from a followed topic. Written by the follower's thread alone; readers are the view's own business.
public interface TopicView {
    /// The next record of a partition, in offset order; a null value is a tombstone. Must not throw on data.
    void apply(int partition, String key, byte @Nullable [] value);

    /// The partition is no longer followed: forget it.
    void forget(int partition);
}
