package dev.toolfleet.worker.identity;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/// Answers by identity, oldest first. Not thread-safe.
///
/// **Contract.** Answers lie in a ring, in the order in which they came. A replaced answer leaves a hole, which goes
/// when it is the oldest or when the ring is made anew. A table of places in the ring, with open addressing and linear
/// probing, finds them. It has four times as many places as the ring, and both are powers of two.
///
/// **Why.** They are kept in arrays of numbers, 64 to 128 bytes an answer. A worker remembers hundreds of thousands,
/// and each leaves after some minutes. Otherwise: as objects they are most of the work of its garbage collector
/// (`docs/decisions/0046`).
final class RecentAnswers {
    private static final int SMALLEST = 64;
    /// Number of values of one answer: identity (2), fingerprint (2), offset, time.
    private static final int WIDTH = 6;
    private static final int OFFSET = 4;
    private static final int TIME = 5;
    /// Marks a hole, in place of the time.
    private static final long HOLE = Long.MIN_VALUE;
    private static final int NOWHERE = -1;

    private long[] ring = new long[SMALLEST * WIDTH];
    private int[] table = emptyTable(SMALLEST);
    private int first;
    /// Number of places of the ring in use, including holes.
    private int used;
    private int size;

    int size() {
        return size;
    }

    /// Adds the newest answer; one of the same identity leaves.
    void add(Digest128 identity, EarlierAnswer answer) {
        remove(identity);
        if (used == capacity())
            renew(size > capacity() / 2 ? 2 * capacity() : capacity());
        int place = (first + used++) & (capacity() - 1);
        int at = place * WIDTH;
        ring[at] = identity.high();
        ring[at + 1] = identity.low();
        ring[at + 2] = answer.fingerprint().high();
        ring[at + 3] = answer.fingerprint().low();
        ring[at + OFFSET] = answer.resultOffset();
        ring[at + TIME] = answer.answeredAt();
        table[freeSlot(identity.high(), identity.low())] = place;
        size++;
    }

    @Nullable
    EarlierAnswer find(Digest128 identity) {
        int slot = slot(identity.high(), identity.low());
        if (table[slot] == NOWHERE)
            return null;
        int at = table[slot] * WIDTH;
        return new EarlierAnswer(new Digest128(ring[at + 2], ring[at + 3]), ring[at + OFFSET], ring[at + TIME]);
    }

    /// Returns the time of the oldest answer; -1 if there is none.
    long oldest() {
        return size == 0 ? -1 : ring[first * WIDTH + TIME];
    }

    /// Removes all answers and frees their memory.
    void clear() {
        if (used == 0)
            return;
        ring = new long[SMALLEST * WIDTH];
        table = emptyTable(SMALLEST);
        first = 0;
        used = 0;
        size = 0;
    }

    /// Removes the oldest answer.
    void removeOldest() {
        if (size == 0)
            throw new IllegalStateException("nothing is remembered");
        removeAt(slot(ring[first * WIDTH], ring[first * WIDTH + 1]));
    }

    void remove(Digest128 identity) {
        int slot = slot(identity.high(), identity.low());
        if (table[slot] != NOWHERE)
            removeAt(slot);
    }

    private void removeAt(int slot) {
        ring[table[slot] * WIDTH + TIME] = HOLE;
        close(slot);
        size--;
        while (used > 0 && ring[first * WIDTH + TIME] == HOLE) {
            first = (first + 1) & (capacity() - 1);
            used--;
        }
    }

    /// Empties a slot, and moves the entries that would no longer be found behind the gap.
    private void close(int slot) {
        int gap = slot;
        int next = gap;
        while (true) {
            next = (next + 1) & (table.length - 1);
            int place = table[next];
            if (place == NOWHERE)
                break;
            int home = home(ring[place * WIDTH], ring[place * WIDTH + 1]);
            // True if the gap lies on the way from home to the entry's slot.
            if (((next - home) & (table.length - 1)) >= ((next - gap) & (table.length - 1))) {
                table[gap] = place;
                gap = next;
            }
        }
        table[gap] = NOWHERE;
    }

    /// Makes the ring anew with that capacity, without holes.
    private void renew(int capacity) {
        long[] old = ring;
        int oldCapacity = capacity();
        ring = new long[capacity * WIDTH];
        table = emptyTable(capacity);
        int kept = 0;
        for (int i = 0; i < used; i++) {
            int from = ((first + i) & (oldCapacity - 1)) * WIDTH;
            if (old[from + TIME] == HOLE)
                continue;
            System.arraycopy(old, from, ring, kept * WIDTH, WIDTH);
            table[freeSlot(old[from], old[from + 1])] = kept++;
        }
        first = 0;
        used = kept;
    }

    private int capacity() {
        return ring.length / WIDTH;
    }

    private static int[] emptyTable(int capacity) {
        int[] table = new int[4 * capacity];
        Arrays.fill(table, NOWHERE);
        return table;
    }

    /// Returns the slot of an identity, or the free slot for it.
    private int slot(long high, long low) {
        int slot = home(high, low);
        while (table[slot] != NOWHERE) {
            int at = table[slot] * WIDTH;
            if (ring[at] == high && ring[at + 1] == low)
                return slot;
            slot = (slot + 1) & (table.length - 1);
        }
        return slot;
    }

    /// Returns the free slot for an identity that is known to be absent.
    private int freeSlot(long high, long low) {
        int slot = home(high, low);
        while (table[slot] != NOWHERE)
            slot = (slot + 1) & (table.length - 1);
        return slot;
    }

    /// Returns the first slot to try. Digests are evenly spread by themselves.
    private int home(long high, long low) {
        return Long.hashCode(high ^ low) & (table.length - 1);
    }
}
