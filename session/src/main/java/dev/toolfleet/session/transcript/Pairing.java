package dev.toolfleet.session.transcript;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Assignment of results to calls.
///
/// A result belongs to the nearest frame before it with its call's id, since models repeat ids in later turns. If that
/// call has another result already, it may belong to an earlier frame, provided that exactly one unanswered call there
/// has this id. It never belongs to a later frame: a result does not precede its call.
final class Pairing {
    /// Fate of each entry, by index.
    enum Fate {
        KEPT, DUPLICATE, SECOND_RESULT, REPLACED, ORPHAN
    }

    final Fate[] fates;
    /// Frames by the index of their message.
    final Map<Integer, Frame> frames = new LinkedHashMap<>();

    private final List<Entry> entries;
    private final Map<String, Calls> nearest = new HashMap<>();
    private final List<Integer> leftover = new ArrayList<>();

    Pairing(List<Entry> entries, boolean[] duplicate) {
        this.entries = entries;
        fates = new Fate[entries.size()];
        for (int i = 0; i < fates.length; i++)
            fates[i] = duplicate[i] ? Fate.DUPLICATE : Fate.KEPT;
        pairWithNearest();
        pairLeftover();
    }

    private void pairWithNearest() {
        for (int i = 0; i < fates.length; i++) {
            Entry entry = entries.get(i);
            if (fates[i] != Fate.KEPT)
                continue;
            if (entry.role() == Role.TOOL)
                pair(i, entry);
            else if (!entry.calls().isEmpty())
                open(new Frame(i, entry));
        }
    }

    private void open(Frame frame) {
        frames.put(frame.index, frame);
        Map<String, Calls> own = new HashMap<>();
        for (Frame.Slot slot : frame.slots)
            own.computeIfAbsent(slot.call.id(), id -> new Calls()).unanswered.add(slot);
        nearest.putAll(own);
    }

    private void pair(int index, Entry result) {
        Calls calls = result.toolCallId() == null ? null : nearest.get(result.toolCallId());
        if (calls == null) {
            fates[index] = Fate.ORPHAN;
            return;
        }
        Frame.Slot open = calls.unanswered.poll();
        if (open != null) {
            open.result = index;
            calls.lastResult = result;
            if (result.isSynthetic())
                calls.synthetic.add(open);
            return;
        }
        Frame.Slot replaceable = result.isSynthetic() ? null : calls.synthetic.poll();
        if (replaceable != null) {
            fates[replaceable.result] = Fate.REPLACED;
            replaceable.result = index;
            calls.lastResult = result;
        } else if (result.isSynthetic() || sameAnswer(result, calls.lastResult)) {
            fates[index] = Fate.SECOND_RESULT;
        } else {
            leftover.add(index);
        }
    }

    private void pairLeftover() {
        Map<String, Deque<Frame.Slot>> unanswered = new HashMap<>();
        for (Frame frame : frames.values()) {
            for (Frame.Slot slot : frame.slots) {
                if (slot.result == Frame.NONE)
                    unanswered.computeIfAbsent(slot.call.id(), id -> new ArrayDeque<>()).add(slot);
            }
        }
        for (int index : leftover)
            pairLeftover(index, unanswered.getOrDefault(entries.get(index).toolCallId(), new ArrayDeque<>()));
    }

    private void pairLeftover(int index, Deque<Frame.Slot> unanswered) {
        int owners = 0;
        // Two are enough to know that the owner is not unique.
        Iterator<Frame.Slot> earliest = unanswered.iterator();
        while (owners < 2 && earliest.hasNext() && earliest.next().frameIndex < index)
            owners++;
        if (owners == 0)
            fates[index] = Fate.SECOND_RESULT;
        else if (owners == 1)
            unanswered.remove().result = index;
        else
            fates[index] = Fate.ORPHAN;
    }

    private static boolean sameAnswer(Entry result, @Nullable Entry other) {
        return other != null && result.content().equals(other.content()) && result.metadata().equals(other.metadata());
    }

    /// Calls of one frame with one id: a model may repeat an id within a frame.
    private static final class Calls {
        final Deque<Frame.Slot> unanswered = new ArrayDeque<>();
        final Deque<Frame.Slot> synthetic = new ArrayDeque<>();
        @Nullable
        Entry lastResult;
    }
}
