package dev.toolfleet.worker.identity;

import java.util.BitSet;

/// Which calls of a partition have a result, by their offsets. Needed when the group's offsets say less than
/// `tool.result` does: because they expired, or were set back.
final class AnsweredOffsets {
    /// Beyond this distance from the first, an offset is not remembered: it could only come from damage.
    private static final long MAX_REACH = 1L << 30;

    private final BitSet answered = new BitSet();
    private long base = -1;

    void add(long offset) {
        if (offset < 0)
            return;
        if (base < 0)
            base = Math.max(0, offset - (1 << 20));
        if (offset < base || offset - base > MAX_REACH)
            return;
        answered.set((int) (offset - base));
    }

    boolean contains(long offset) {
        return base >= 0 && offset >= base && offset - base <= MAX_REACH && answered.get((int) (offset - base));
    }
}
