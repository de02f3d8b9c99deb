package dev.toolfleet.worker.commit;

import java.util.BitSet;

/// Which offsets of one assigned partition are in flight and which are done. Offsets that were read past without being
/// either never were calls (transaction markers, compacted records) and take no room in the metadata.
///
/// Owned by the transaction loop's thread. It knows nothing of results, transactions or Kafka.
public final class OffsetLedger {
    /// How far the bit sets' base may stay behind before it is moved up.
    private static final int REBASE = 1 << 14;

    private final BitSet open = new BitSet();
    private final BitSet done = new BitSet();
    private long base;
    private long position;

    /// A ledger that resumes where a committed offset and its metadata left off.
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

    /// The offset behind everything that was read.
    long position() {
        return position;
    }

    /// Notes that everything before `next` was read or does not exist.
    public void readUpTo(long next) {
        position = Math.max(position, next);
        if (open.isEmpty())
            skipTo(position);
    }

    /// With nothing in flight the base may follow the reader. It has to: when retention has taken away what was
    /// committed long ago, the reader jumps further than a bit set reaches.
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

    /// The lowest unfinished offset: what may be committed.
    public long frontier() {
        int first = open.nextSetBit(0);
        return first < 0 ? position : base + first;
    }

    /// How many offsets are in flight.
    public int inFlight() {
        return open.cardinality();
    }

    /// The done offsets beyond the frontier, for the commit's metadata.
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

    /// Forgets what lies so far below a committed frontier that it only costs memory.
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
