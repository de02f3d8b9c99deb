package dev.toolfleet.worker.poll;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.toolfleet.wire.PartitionFrontier;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.poll.Discrepancy.Kind;
import org.jspecify.annotations.Nullable;

/// Start of a partition of `tool.call`, decided from three sources: the group's committed offset, the journaled
/// frontier ([PartitionFrontier]), and the log itself (`docs/decisions/0048`).
///
/// **Contract.** The higher of committed offset and frontier of the present log counts: no call below the journaled
/// frontier starts again. Offsets of another log do not count at all.
///
/// @param calls the start, and the finished offsets beyond it
/// @param sameLog whether the log's records are those that earlier owners read
/// @param mirrored whether the log is a copy of one in another cluster
/// @param found the disagreements
record StartPoint(DoneOffsets calls, boolean sameLog, boolean mirrored, List<Discrepancy> found) {

    /// True if the group's own offset is the start: then its metadata names every answered call behind it.
    boolean isOfGroup(@Nullable DoneOffsets committed) {
        return committed != null && committed.equals(calls);
    }

    /// The broker's view of a partition.
    ///
    /// @param incarnation the id of its log
    /// @param beginning the oldest offset that it holds
    /// @param end the offset behind the newest record, committed or not
    record Log(Incarnation incarnation, long beginning, long end) {}

    /// Compares an offset with a log's history.
    @FunctionalInterface
    interface History {
        /// Returns the first offset below `offset` at which the log has other records than when `epoch` was its newest
        /// leader epoch; `offset` if it has the same records.
        long agreesUpTo(long offset, int epoch);
    }

    /// Decides where the partition starts.
    ///
    /// @param committed the group's committed offset; null if there is none
    /// @param journaled the journaled frontier; null if there is none
    static StartPoint of(@Nullable DoneOffsets committed, @Nullable PartitionFrontier journaled, Log log,
            History history) {
        Decision decision = new Decision(log, history);
        if (journaled != null && !journaled.topicId().equals(log.incarnation().calls()))
            return decision.recreated(committed, journaled);
        return decision.sameTopic(committed, journaled);
    }

    private static final class Decision {
        private final Log log;
        private final History history;
        private final List<Discrepancy> found = new ArrayList<>();
        private boolean truncated;

        Decision(Log log, History history) {
            this.log = log;
            this.history = history;
        }

        private void found(Kind kind, String text) {
            found.add(new Discrepancy(kind, text));
        }

        StartPoint recreated(@Nullable DoneOffsets committed, PartitionFrontier journaled) {
            boolean mirrored = journaled.clusterId() != null && log.incarnation().cluster() != null
                    && !Objects.equals(journaled.clusterId(), log.incarnation().cluster());
            found(Kind.RECREATED, (mirrored
                    ? "the topic is a copy of one in another cluster: the journaled frontier "
                    : "the topic was deleted and made anew: the journaled frontier ") + journaled.offset()
                    + " and the committed offset " + offset(committed) + " are those of topic id "
                    + journaled.topicId() + ", the present one is " + log.incarnation().calls()
                    + "; starts at " + log.beginning());
            return new StartPoint(DoneOffsets.from(log.beginning()), false, mirrored, found);
        }

        StartPoint sameTopic(@Nullable DoneOffsets committed, @Nullable PartitionFrontier journaled) {
            DoneOffsets calls = committed == null ? null : inLog(committed, "committed offset");
            // A committed offset beyond the frontier in the same log shows that the frontier is right, too.
            if (journaled != null && (calls == null || calls.frontier() < journaled.offset() || truncated)) {
                DoneOffsets frontier = inLog(new DoneOffsets(journaled.offset(), List.of(), epoch(journaled)),
                        "journaled frontier");
                calls = later(calls, frontier, committed == null);
            }
            boolean known = committed != null || journaled != null;
            return new StartPoint(readable(calls == null ? DoneOffsets.from(log.beginning()) : calls),
                    known && !truncated, false, found);
        }

        /// Returns the part of an offset that the present log still holds; null if that cannot be decided.
        private @Nullable DoneOffsets inLog(DoneOffsets said, String name) {
            boolean knowsEpoch = said.leaderEpoch() != DoneOffsets.NO_EPOCH;
            long agrees = knowsEpoch
                    ? Math.min(history.agreesUpTo(said.reach(), said.leaderEpoch()), log.end())
                    : log.end();
            if (said.reach() <= agrees)
                return said;
            truncated = true;
            found(Kind.TRUNCATED, "the log was truncated: the " + name + " " + said.frontier() + ", done up to "
                    + said.reach() + ", lies behind " + agrees + ", from which on the log has other records or none"
                    + (knowsEpoch ? "" : "; it names no leader epoch and counts for nothing"));
            return knowsEpoch ? said.before(agrees) : null;
        }

        private @Nullable DoneOffsets later(@Nullable DoneOffsets calls, @Nullable DoneOffsets frontier,
                boolean expired) {
            if (frontier == null)
                return calls;
            if (calls != null && calls.frontier() >= frontier.frontier())
                return calls;
            if (expired) {
                found(Kind.EXPIRED, "the group has no offset, it expired or the group was deleted: starts at the"
                        + " journaled frontier " + frontier.frontier());
            } else if (calls != null && !truncated) {
                found(Kind.SET_BACK, "the committed offset " + calls.frontier()
                        + " lies below the journaled frontier " + frontier.frontier()
                        + ": the calls between were finished and are not run again");
            }
            return frontier;
        }

        /// Returns the offsets without those that the log does not hold any more.
        private DoneOffsets readable(DoneOffsets calls) {
            if (calls.frontier() >= log.beginning())
                return calls;
            found(Kind.DELETED_UNREAD, "retention has removed up to " + (log.beginning() - calls.frontier())
                    + " records from " + calls.frontier() + " on that were not finished: their calls have no result;"
                    + " starts at " + log.beginning());
            return calls.since(log.beginning());
        }

        private static int epoch(PartitionFrontier journaled) {
            Integer epoch = journaled.leaderEpoch();
            return epoch == null ? DoneOffsets.NO_EPOCH : epoch;
        }

        private static String offset(@Nullable DoneOffsets committed) {
            return committed == null ? "(none)" : Long.toString(committed.frontier());
        }
    }
}
