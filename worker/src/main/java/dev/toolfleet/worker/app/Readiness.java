package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.poll.PartitionCounts;

/// Decides whether a worker can do its work. Pure.
///
/// A partition that is held because its commit metadata is full does not count: it waits for its own calls, as a full
/// lane does.
///
/// @param life whether it runs
/// @param fenced whether the group has not heard of it for its session timeout
/// @param partitions what it owns
/// @param unloadable what could not be loaded and why, by `bundle/Tool`
/// @param commitsFailing for how long nothing could be committed
/// @param abandoned handlers that ignored their interrupt and still run
/// @param completions whether its share of the pending calls is followed
record Readiness(Life life, boolean fenced, PartitionCounts partitions, Map<String, String> unloadable,
        Duration commitsFailing, Abandoned abandoned, boolean completions) {
    /// A changed generation, or a coordinator that moves, is over sooner.
    static final Duration TOLERATED = Duration.ofSeconds(5);

    /// Whether a worker runs.
    enum Life {
        /// It does.
        RUNS,
        /// It starts no more calls.
        DRAINS,
        /// It has stopped.
        ENDED
    }

    /// Handlers that ignored their interrupt and still run.
    ///
    /// @param most how many are borne
    record Abandoned(int running, int most) {}

    /// Why the worker is not ready, one sentence each; empty when it is. A sentence stays the same as long as its reason
    /// does.
    List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        switch (life) {
            case ENDED -> {
                return List.of("it has stopped");
            }
            case DRAINS -> reasons.add("it is told to stop and starts no more calls");
            case RUNS -> {
            }
        }
        if (fenced) {
            reasons.add("its group has not heard of it for the session timeout, so it has given its partitions up");
        } else if (!partitions.member()) {
            reasons.add("it is not in its group");
        } else if (!partitions.allStarted()) {
            reasons.add("it is taking partitions over");
        }
        if (partitions.owned() > 0 && partitions.held(Hold.QUARANTINED) == partitions.owned())
            reasons.add("each of its partitions sits out, because its records cannot be written");
        if (commitsFailing.compareTo(TOLERATED) > 0)
            reasons.add("nothing can be committed");
        if (!completions)
            reasons.add("its topology of pending calls does not run, or is being rebalanced");
        if (abandoned.running() > abandoned.most())
            reasons.add("more handlers than worker.maxAbandoned=" + abandoned.most() + " ignore their interrupt");
        unloadable.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .forEach(entry -> reasons.add(entry.getKey() + " cannot be loaded: " + entry.getValue()));
        return List.copyOf(reasons);
    }
}
