package dev.toolfleet.gateway.webhook;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

import org.jspecify.annotations.Nullable;

/// Bounds on the requests under way: in all, by receiver, and by bytes.
///
/// **Contract.** Receivers whose last request failed share [#FAILING] places. Otherwise: ten thousand receivers that are
/// down hold every place for as long as their timeouts, over and over, and results for the others wait behind them.
///
/// **Threads.** Thread-safe.
final class ReceiverSlots {
    /// Most requests under way.
    static final int ALL = 512;
    /// Most requests under way to receivers whose last request failed.
    static final int FAILING = 128;
    /// Most requests under way to one receiver.
    static final int EACH = 16;
    /// Most requests under way to one receiver whose last request failed.
    static final int EACH_FAILING = 4;
    /// Most bytes of results under way; a single larger result is sent alone.
    static final long BYTES = 64L * 1024 * 1024;
    /// Most receivers that are remembered as failing; the one that was added first is forgotten.
    static final int REMEMBERED = 20_000;

    private final Map<String, Integer> underWay = new HashMap<>();
    private final SequencedSet<String> failing = new LinkedHashSet<>();
    private int all;
    private int ofFailing;
    private long bytes;

    /// One place.
    ///
    /// @param failing true if it is one of those for receivers that fail
    record Slot(String receiver, int bytes, boolean failing) {}

    /// Takes a place; null when there is none.
    synchronized @Nullable Slot take(String receiver, int size) {
        boolean fails = failing.contains(receiver);
        int its = underWay.getOrDefault(receiver, 0);
        if (all >= ALL || its >= (fails ? EACH_FAILING : EACH) || (fails && ofFailing >= FAILING)
                || (all > 0 && bytes + size > BYTES))
            return null;
        underWay.put(receiver, its + 1);
        all++;
        ofFailing += fails ? 1 : 0;
        bytes += size;
        return new Slot(receiver, size, fails);
    }

    /// Returns a place.
    ///
    /// @param reached true if the receiver took the result
    synchronized void release(Slot slot, boolean reached) {
        underWay.computeIfPresent(slot.receiver(), (name, its) -> its == 1 ? null : its - 1);
        all--;
        ofFailing -= slot.failing() ? 1 : 0;
        bytes -= slot.bytes();
        if (reached)
            failing.remove(slot.receiver());
        else if (failing.add(slot.receiver()) && failing.size() > REMEMBERED)
            failing.removeFirst();
    }
}
