package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.worker.commit.PartitionListener.Hold;
import dev.toolfleet.worker.poll.OwnershipCounts;
import org.jspecify.annotations.Nullable;

/// Decides whether a worker can do its work. Pure.
///
/// A partition that is held because its commit metadata is full does not count: it waits for its own calls, as a full
/// lane does.
///
/// @param life whether it runs
/// @param fenced whether the group has not heard of it for its session timeout
/// @param partitions what it owns
/// @param unexpected a sentence for each partition that it does not start, because the fleet was created with fewer
/// @param unloadable what could not be loaded and why, by `bundle/Tool`
/// @param progress whether what could be done is done
/// @param abandoned handlers that ignored their interrupt and still run
/// @param completions whether its share of the pending calls is followed
record Readiness(Life life, boolean fenced, OwnershipCounts partitions, List<String> unexpected,
        Map<String, String> unloadable, Progress progress, Abandoned abandoned, boolean completions) {
    /// A changed generation, or a coordinator that moves, is over sooner.
    static final Duration TOLERATED = Duration.ofSeconds(5);

    /// The reader waits for a broker's records for half a minute before it gives up, and looks are seconds apart.
    static final Duration UNREAD_TOLERATED = Duration.ofSeconds(45);

    /// A turn of the state follower ends within its poll, a fifth of a second, unless a view of it waits for something.
    static final Duration FOLLOWER_TOLERATED = Duration.ofSeconds(10);

    /// Progress of a worker: it has finished something lately, or had nothing to do. Work that could be done is an end that can
    /// be committed, and a record that can be read. A handler that is slow is none: its deadline watches over it, and so
    /// is no call that waits behind it, for a slot of its tool, or for a person.
    ///
    /// @param commitsFailing for how long nothing could be committed although something was to be
    /// @param unread for how long records have lain in partitions that take records, and none was read
    /// @param followerStandsStill the age of the state follower's last turn
    /// @param clockRefused a topic that refuses records because of their time; null when none does
    record Progress(Duration commitsFailing, Duration unread, Duration followerStandsStill,
            @Nullable String clockRefused) {
        Progress(Duration commitsFailing, Duration unread, Duration followerStandsStill) {
            this(commitsFailing, unread, followerStandsStill, null);
        }
    }

    /// Phase of a worker's life.
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
        reasons.addAll(unexpected);
        if (partitions.held(Hold.UNREADABLE) > 0)
            reasons.add("a record in " + partitions.held(Hold.UNREADABLE)
                    + " of its partitions cannot be read; its log names topic, partition and offset");
        if (progress.clockRefused() != null)
            reasons.add(
                    "topic '" + progress.clockRefused() + "' refuses records of this machine's clock: set the clock,"
                            + " or message.timestamp.type=LogAppendTime on the topic");
        if (progress.commitsFailing().compareTo(TOLERATED) > 0)
            reasons.add("nothing can be committed");
        if (progress.unread().compareTo(UNREAD_TOLERATED) > 0)
            reasons.add("records wait in partitions that it could read, and it reads none");
        if (progress.followerStandsStill().compareTo(FOLLOWER_TOLERATED) > 0)
            reasons.add("its state follower has not turned for " + FOLLOWER_TOLERATED.toSeconds()
                    + " s: it does not see new steps, cancellations, lane orders and revisions; restart it");
        if (!completions)
            reasons.add("its topology of pending calls does not run, or is being rebalanced");
        if (abandoned.running() > abandoned.most())
            reasons.add("more handlers than worker.maxAbandoned=" + abandoned.most() + " ignore their interrupt");
        unloadable.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .forEach(entry -> reasons.add(entry.getKey() + " cannot be loaded: " + entry.getValue()));
        return List.copyOf(reasons);
    }
}
