package dev.toolfleet.session.compaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import tools.jackson.databind.node.StringNode;

/// Step that shortens long results of tools, the longest first. Beginning and end of a result stay, and a mark stands
/// between them. A result is never replaced by a longer text.
final class ToolShrinker {
    static final String MARKER = "[Result truncated for context management]";

    private ToolShrinker() {}

    /// Shortens results until the draft has at most `target` tokens.
    ///
    /// @param lengths characters that a result keeps, from the first round to the last
    /// @return true when a result became shorter
    static boolean shrink(Draft draft, long target, TokenCounter counter, int... lengths) {
        boolean any = false;
        for (int length : lengths) {
            if (draft.total() <= target)
                break;
            any |= shrinkTo(length, draft, target, counter);
        }
        return any;
    }

    private static boolean shrinkTo(int length, Draft draft, long target, TokenCounter counter) {
        List<Candidate> candidates = new ArrayList<>();
        for (Draft.Unit unit : draft.units) {
            for (int i = 1; unit.isCompactable() && i < unit.entries.size(); i++) {
                if (unit.entries.get(i).role() == Role.TOOL)
                    candidates.add(new Candidate(unit, i, counter.entry(unit.entries.get(i))));
            }
        }
        // The sort is stable: of two results of one length, the older is shortened first.
        candidates.sort(Comparator.comparingLong(Candidate::tokens).reversed());
        boolean any = false;
        for (Candidate candidate : candidates) {
            if (draft.total() <= target)
                break;
            Entry result = candidate.unit.entries.get(candidate.entry);
            Entry shorter = shortened(result, length);
            long saved = candidate.tokens - counter.entry(shorter);
            if (saved > 0) {
                draft.shrink(candidate.unit, candidate.entry, shorter, saved);
                any = true;
            }
        }
        return any;
    }

    private static Entry shortened(Entry result, int length) {
        String text = result.content().isString() ? result.content().stringValue() : result.content().toString();
        if (text.length() <= length)
            return result;
        String shorter = length == 0
                ? MARKER
                : head(text, length * 2 / 3) + "\n" + MARKER + "\n" + tail(text, length / 3);
        return result.withContent(StringNode.valueOf(shorter));
    }

    /// Never ends within a surrogate pair.
    private static String head(String text, int length) {
        int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return text.substring(0, end);
    }

    private static String tail(String text, int length) {
        int start = text.length() - length;
        return text.substring(Character.isLowSurrogate(text.charAt(start)) ? start + 1 : start);
    }

    private record Candidate(Draft.Unit unit, int entry, long tokens) {}
}
