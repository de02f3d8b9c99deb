package dev.toolfleet.worker.commit;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/// Ledger of one topic of an assigned partition: the offsets in flight, done and committed, with the leader epoch.
/// Owned by the transaction loop's thread.
final class InputLedger {
    private final OffsetLedger offsets;
    private OffsetAndMetadata committed;
    /// Newest leader epoch that was read. Brokers compare it with the log's history: any epoch from that of the record
    /// before the offset up to the newest one finds the same place where another log begins.
    private int leaderEpoch;

    InputLedger(DoneOffsets start) {
        offsets = new OffsetLedger(start);
        leaderEpoch = start.leaderEpoch();
        committed = start.commit();
    }

    /// Notes offsets that were read. Returns false if the reader went back: the log has lost records that were read,
    /// and this ledger counts those of another log.
    boolean track(Offsets read, long next) {
        if (next < offsets.position() || (read.count() > 0 && read.lowest() < offsets.position()))
            return false;
        read.forEach(offsets::track);
        offsets.readUpTo(next);
        leaderEpoch = Math.max(leaderEpoch, read.leaderEpoch());
        return true;
    }

    void complete(Outcome outcome) {
        offsets.complete(outcome.position().offset());
    }

    void reopen(Outcome outcome) {
        offsets.reopen(outcome.position().offset());
    }

    boolean fits(int maxMetadata) {
        return offsets.done().encode().length() <= maxMetadata;
    }

    long frontier() {
        return offsets.frontier();
    }

    /// True if the frontier has moved since the last commit.
    boolean moved() {
        return offsets.frontier() > committed.offset();
    }

    /// Returns the offset that may be committed now.
    OffsetAndMetadata now() {
        return offsets.done().readUnder(leaderEpoch).commit();
    }

    OffsetAndMetadata committed() {
        return committed;
    }

    void committed(OffsetAndMetadata offset) {
        committed = offset;
        offsets.forget(offset.offset());
    }

    /// Notes the offset that a commit of unknown end turned out to have stored.
    void stored(DoneOffsets stored) {
        if (stored.frontier() >= committed.offset())
            committed = stored.commit();
    }
}
