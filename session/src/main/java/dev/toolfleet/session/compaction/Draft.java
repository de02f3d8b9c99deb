package dev.toolfleet.session.compaction;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.session.compaction.Compaction.Fate;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import org.jspecify.annotations.Nullable;

/// Transcript in the making: its units, and the tokens of the request. Used by one thread, in one compaction.
///
/// A unit is a frame or an entry outside of frames; no step takes a part of one. Units of the newest entries, of the
/// agent's author, and frames with a call that runs or waits are preserved.
final class Draft {
    /// Frame, or entry outside of frames.
    static final class Unit {
        final int index;
        final List<Entry> entries;
        final boolean preserved;
        long tokens;
        Fate fate = Fate.KEPT;

        private Unit(int index, List<Entry> entries, boolean preserved, long tokens) {
            this.index = index;
            this.entries = new ArrayList<>(entries);
            this.preserved = preserved;
            this.tokens = tokens;
        }

        boolean isCompactable() {
            return !preserved && (fate == Fate.KEPT || fate == Fate.SHRUNK);
        }
    }

    final List<Unit> units = new ArrayList<>();
    private long total;
    private int firstSummarized = Integer.MAX_VALUE;
    private @Nullable Entry summary;
    private long summaryTokens;

    Draft(List<Entry> entries, CompactionOptions options) {
        total = options.fixedTokens();
        List<int[]> ranges = ranges(entries);
        int tail = tailStart(ranges, options.preserveRecentMessages());
        for (int n = 0; n < ranges.size(); n++) {
            List<Entry> own = entries.subList(ranges.get(n)[0], ranges.get(n)[1]);
            boolean author = options.preserveSystemPrompt() && own.getFirst().role() == Role.SYSTEM;
            boolean open = own.size() - 1 < own.getFirst().calls().size();
            long tokens = options.counter().entries(own);
            units.add(new Unit(ranges.get(n)[0], own, n >= tail || author || open, tokens));
            total += tokens;
        }
    }

    long total() {
        return total;
    }

    /// Tokens of the request that no step reduces.
    long fixed() {
        return total - units.stream().filter(unit -> !unit.preserved).mapToLong(unit -> unit.tokens).sum();
    }

    @Nullable
    Entry summary() {
        return summary;
    }

    /// Replaces one entry of a unit.
    void shrink(Unit unit, int entry, Entry shorter, long saved) {
        unit.entries.set(entry, shorter);
        unit.tokens -= saved;
        unit.fate = Fate.SHRUNK;
        total -= saved;
    }

    void drop(Unit unit) {
        unit.fate = Fate.DROPPED;
        total -= unit.tokens;
    }

    /// Puts a summary in the place of units, and of the summary of an earlier pass.
    void summarize(List<Unit> replaced, Entry newSummary, long tokens) {
        for (Unit unit : replaced) {
            unit.fate = Fate.SUMMARIZED;
            total -= unit.tokens;
            firstSummarized = Math.min(firstSummarized, unit.index);
        }
        total += tokens - summaryTokens;
        summary = newSummary;
        summaryTokens = tokens;
    }

    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (Unit unit : units) {
            if (summary != null && unit.index == firstSummarized)
                entries.add(summary);
            if (unit.fate == Fate.KEPT || unit.fate == Fate.SHRUNK)
                entries.addAll(unit.entries);
        }
        return entries;
    }

    List<Compaction.FrameFate> fates() {
        return units.stream().map(unit -> new Compaction.FrameFate(unit.index, unit.entries.size(), unit.fate))
                .toList();
    }

    int removed() {
        return units.stream().filter(unit -> unit.fate == Fate.SUMMARIZED || unit.fate == Fate.DROPPED)
                .mapToInt(unit -> unit.entries.size()).sum();
    }

    private static List<int[]> ranges(List<Entry> entries) {
        List<int[]> ranges = new ArrayList<>();
        for (int start = 0; start < entries.size();) {
            int end = start + 1;
            while (end < entries.size() && entries.get(end).role() == Role.TOOL)
                end++;
            ranges.add(new int[]{start, end});
            start = end;
        }
        return ranges;
    }

    /// The first range of the tail that holds at least this number of the newest entries.
    private static int tailStart(List<int[]> ranges, int messages) {
        int start = ranges.size();
        int held = 0;
        while (start > 0 && held < messages) {
            start--;
            held += ranges.get(start)[1] - ranges.get(start)[0];
        }
        return start;
    }
}
