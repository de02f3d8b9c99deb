package dev.toolfleet.worker.simulation;

/// One thing that happens to the topics or the offsets of a world while it runs.
enum TopicFault {
    NONE,
    /// Operators set the group's offsets of the calls back while no worker runs.
    SET_BACK,
    /// The group is deleted, or its offsets expire, while no worker runs.
    OFFSETS_LOST,
    /// The topic of calls is deleted and created again: another topic id, offsets from 0.
    RECREATED,
    /// A replica that lacks the newest calls becomes leader.
    TRUNCATED,
    /// The oldest calls are deleted.
    CALLS_EXPIRED,
    /// The oldest results are deleted, and then the group's offsets expire.
    RESULTS_EXPIRED;

    /// True if calls may be gone, and their offsets belong to others.
    boolean losesCalls() {
        return switch (this) {
            case RECREATED, TRUNCATED, CALLS_EXPIRED -> true;
            case NONE, SET_BACK, OFFSETS_LOST, RESULTS_EXPIRED -> false;
        };
    }
}
