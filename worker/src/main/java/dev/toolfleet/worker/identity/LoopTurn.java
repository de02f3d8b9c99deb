package dev.toolfleet.worker.identity;

import java.util.Arrays;

/// Newest results of one turn's calls, each with its count in a row; the call that ended last stands last. Not
/// thread-safe: [LoopLedger] guards it.
///
/// **Why.** The rows lie in one array of numbers, 40 bytes each. Otherwise: as objects, those of all turns are work for
/// the garbage collector (`docs/decisions/0046`).
final class LoopTurn {
    /// Most calls of a turn, which differ by tool or arguments; beyond them the one that ended longest ago leaves.
    static final int MOST_CALLS = 64;
    private static final int FEW = 4;
    /// Number of values of a row: call (2), result (2), count.
    private static final int WIDTH = 5;
    private static final int RESULT = 2;
    private static final int COUNT = 4;

    private long[] rows = new long[FEW * WIDTH];
    private int size;

    int size() {
        return size;
    }

    /// Returns how often in a row the call has ended alike; 0 if it is not known.
    int count(Digest128 call) {
        int row = row(call);
        return row < 0 ? 0 : (int) rows[row * WIDTH + COUNT];
    }

    /// Notes an end of the call. Returns how often in a row it has ended so.
    int ended(Digest128 call, Digest128 result) {
        int row = row(call);
        int count = row >= 0 && result.equals(result(row)) ? 1 + (int) rows[row * WIDTH + COUNT] : 1;
        put(call, result, count);
        return count;
    }

    /// Returns the call's newest result; `none` if the call is not known.
    Digest128 result(Digest128 call, Digest128 none) {
        int row = row(call);
        return row < 0 ? none : result(row);
    }

    /// Sets result and count of a call, which is the one that ended last from now on.
    void put(Digest128 call, Digest128 result, int count) {
        int row = row(call);
        if (row >= 0)
            remove(row);
        else if (size == MOST_CALLS)
            remove(0);
        if (size * WIDTH == rows.length)
            rows = Arrays.copyOf(rows, 2 * rows.length);
        int at = size++ * WIDTH;
        rows[at] = call.high();
        rows[at + 1] = call.low();
        rows[at + RESULT] = result.high();
        rows[at + RESULT + 1] = result.low();
        rows[at + COUNT] = count;
    }

    private Digest128 result(int row) {
        return new Digest128(rows[row * WIDTH + RESULT], rows[row * WIDTH + RESULT + 1]);
    }

    private int row(Digest128 call) {
        for (int row = 0; row < size; row++) {
            if (rows[row * WIDTH] == call.high() && rows[row * WIDTH + 1] == call.low())
                return row;
        }
        return -1;
    }

    private void remove(int row) {
        System.arraycopy(rows, (row + 1) * WIDTH, rows, row * WIDTH, (size - row - 1) * WIDTH);
        size--;
    }
}
