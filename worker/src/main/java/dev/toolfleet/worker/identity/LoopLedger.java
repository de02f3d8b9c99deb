package dev.toolfleet.worker.identity;

import java.util.LinkedHashMap;

import org.jspecify.annotations.Nullable;

/// Ledger of a partition's results in a row: how often each call of a turn has ended with the same result
/// (`docs/decisions/0102`).
///
/// **Contract.** It counts final results in the order in which they are noted. A result that differs from the call's
/// newest one begins at 1. It keeps [#MOST_TURNS] turns, and [LoopTurn#MOST_CALLS] calls of each. Those that ended
/// longest ago leave first, and begin anew: it may count too few, and never too many.
///
/// **Threads.** Thread-safe: calls that end count, calls that are about to start read. No method waits.
public final class LoopLedger {
    /// Most turns of a partition, each of one agent in one instance.
    public static final int MOST_TURNS = 1_024;

    /// In the order of their newest ends.
    private final LinkedHashMap<Digest128, LoopTurn> turns = new LinkedHashMap<>();

    LoopLedger() {}

    /// Notes that a call has ended with this result.
    public synchronized LoopMark ended(LoopKey key, Digest128 result) {
        return new LoopMark(newest(key.turn()).ended(key.call(), result), key.turn(), result);
    }

    /// Notes that a call was refused because it repeats: it counts as one more of the newest result, although its own is
    /// another.
    ///
    /// @param unknown stands for the newest result if the call has been forgotten meanwhile
    public synchronized LoopMark refused(LoopKey key, Digest128 unknown) {
        LoopTurn turn = newest(key.turn());
        Digest128 result = turn.result(key.call(), unknown);
        return new LoopMark(turn.ended(key.call(), result), key.turn(), result);
    }

    /// Returns how often in a row a call has ended with its newest result; 0 if none is known.
    public synchronized int count(LoopKey key) {
        LoopTurn turn = turns.get(key.turn());
        return turn == null ? 0 : turn.count(key.call());
    }

    /// Restores the count that stands on a result; in the order of the results.
    public synchronized void restore(Digest128 call, LoopMark mark) {
        newest(mark.turn()).put(call, mark.result(), mark.count());
    }

    /// Number of turns that are known.
    public synchronized int size() {
        return turns.size();
    }

    private LoopTurn newest(Digest128 turn) {
        @Nullable
        LoopTurn known = turns.remove(turn);
        LoopTurn newest = known == null ? new LoopTurn() : known;
        turns.putLast(turn, newest);
        if (turns.size() > MOST_TURNS)
            turns.pollFirstEntry();
        return newest;
    }
}
