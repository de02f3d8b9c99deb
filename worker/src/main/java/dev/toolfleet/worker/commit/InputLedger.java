package dev.toolfleet.worker.commit;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/// One of the topics of an assigned partition: what of it is in flight and done, and what was committed of that. Owned by
/// the transaction loop's thread.
final class InputLedger {
    private final OffsetLedger offsets;
    private OffsetAndMetadata committed;

    InputLedger(DoneOffsets start) {
        offsets = new OffsetLedger(start);
        committed = new OffsetAndMetadata(start.frontier(), start.encode());
    }

    void track(Offsets read, long next) {
        read.forEach(offsets::track);
        offsets.readUpTo(next);
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

    /// Whether the frontier has moved since the last commit.
    boolean moved() {
        return offsets.frontier() > committed.offset();
    }

    /// What may be committed now.
    OffsetAndMetadata now() {
        return new OffsetAndMetadata(offsets.frontier(), offsets.done().encode());
    }

    OffsetAndMetadata committed() {
        return committed;
    }

    void committed(OffsetAndMetadata offset) {
        committed = offset;
        offsets.forget(offset.offset());
    }

    /// A commit of unknown end turned out to have got that far.
    void stored(DoneOffsets stored) {
        if (stored.frontier() >= committed.offset())
            committed = new OffsetAndMetadata(stored.frontier(), stored.encode());
    }
}
