package dev.toolfleet.worker.commit;

import java.util.BitSet;

/// Ledger of one assigned partition's offsets: in flight or done. An offset that was read past and is neither was no
/// call (transaction markers, compacted records) and takes no room in the metadata.
///
/// **Threads.** Owned by the transaction loop's thread. It depends on no result, transaction or Kafka client.
public final class OffsetLedger {
    /// Distance from the base at which the bit sets are moved up.
    private static final int REBASE = 1 << 14;

    private final BitSet open = new BitSet();
    private final BitSet done = new BitSet();
    private long base;
    private long position;

    /// Creates a ledger that resumes at a committed offset and its metadata.
    public OffsetLedger(DoneOffsets start) {
        this.base = start.frontier();
        this.position = start.frontier();
        start.forEachDone((from, to) -> done.set(index(from), index(to)));
    }

    /// Notes that `offset` is in flight. Offsets are tracked in ascending order.
    public void track(long offset) {
        if (offset < position) {
            throw new IllegalArgumentException("offset " + offset + " tracked after position " + position);
        }
        if (open.isEmpty())
            skipTo(offset);
        open.set(index(offset));
        position = offset + 1;
    }

    /// Returns the offset behind everything that was read.
    long position() {
        return position;
    }

    /// Notes that everything before `next` was read or does not exist.
    public void readUpTo(long next) {
        position = Math.max(position, next);
        if (open.isEmpty())
            skipTo(position);
    }

    /// Moves the base to the reader if no offset is in flight. Otherwise: retention deletes what was committed long
    /// ago, and the reader jumps further than a bit set reaches.
    private void skipTo(long offset) {
        if (offset - base >= REBASE)
            moveBase(offset);
    }

    /// Notes that a call in flight has ended.
    public void complete(long offset) {
        open.clear(index(offset));
        done.set(index(offset));
    }

    /// Takes a [#complete] back, for an outcome that has to wait.
    public void reopen(long offset) {
        done.clear(index(offset));
        open.set(index(offset));
    }

    /// Returns the lowest unfinished offset: the one to commit.
    public long frontier() {
        int first = open.nextSetBit(0);
        return first < 0 ? position : base + first;
    }

    /// Number of offsets in flight.
    public int inFlight() {
        return open.cardinality();
    }

    /// Returns the done offsets beyond the frontier, for the commit's metadata.
    public DoneOffsets done() {
        long frontier = frontier();
        int read = index(position);
        DoneOffsets.Builder runs = new DoneOffsets.Builder(frontier);
        int from = index(frontier);
        for (int first = done.nextSetBit(from); first >= 0; first = done.nextSetBit(from)) {
            int next = open.nextSetBit(first);
            int end = next >= 0 ? next : done.nextClearBit(Math.max(first, read));
            runs.run(first - from, end - first);
            from = end;
        }
        return runs.build();
    }

    /// Forgets offsets that lie so far below a committed frontier that they only cost memory.
    public void forget(long committed) {
        if (committed - base >= REBASE)
            moveBase(committed);
    }

    private void moveBase(long to) {
        int by = (int) Math.min(to - base, Integer.MAX_VALUE);
        shift(open, by);
        shift(done, by);
        base = to;
    }

    private static void shift(BitSet bits, int by) {
        BitSet moved = bits.get(by, Math.max(by, bits.length()));
        bits.clear();
        bits.or(moved);
    }

    private int index(long offset) {
        return Math.toIntExact(offset - base);
    }
}
