package dev.toolfleet.worker.guard;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Finder of many texts in another one in one pass (Aho and Corasick, 1975). Immutable.
final class TextFinder {
    private static final class State {
        final Map<Character, State> next = new HashMap<>();
        private char[] signs = {};
        private State[] states = {};
        @Nullable
        State fallback;
        /// Length of the longest text that ends here; 0 for none.
        int found;

        /// Turns the map into arrays: a state has few successors, so a linear search is quicker than a map.
        void settle() {
            signs = new char[next.size()];
            states = new State[next.size()];
            int at = 0;
            for (Map.Entry<Character, State> step : next.entrySet()) {
                signs[at] = step.getKey();
                states[at++] = step.getValue();
            }
        }

        @Nullable
        State after(char c) {
            for (int i = 0; i < signs.length; i++) {
                if (signs[i] == c)
                    return states[i];
            }
            return null;
        }
    }

    private final State root = new State();
    private final BitSet first = new BitSet();

    private TextFinder() {}

    static TextFinder of(Collection<String> texts) {
        TextFinder finder = new TextFinder();
        texts.stream().filter(text -> !text.isEmpty()).forEach(finder::add);
        finder.connect();
        return finder;
    }

    private void add(String text) {
        first.set(text.charAt(0));
        State state = root;
        for (int i = 0; i < text.length(); i++)
            state = state.next.computeIfAbsent(text.charAt(i), c -> new State());
        state.found = text.length();
    }

    /// Sets, breadth first, the state to continue with when the next character does not fit.
    private void connect() {
        Deque<State> open = new ArrayDeque<>();
        for (State state : root.next.values()) {
            state.fallback = root;
            open.add(state);
        }
        while (!open.isEmpty()) {
            State state = open.remove();
            state.settle();
            for (Map.Entry<Character, State> step : state.next.entrySet()) {
                State child = step.getValue();
                State fallback = from(state.fallback, step.getKey());
                child.fallback = fallback;
                child.found = Math.max(child.found, fallback.found);
                open.add(child);
            }
        }
    }

    private State from(@Nullable State start, char c) {
        State state = start;
        while (state != null) {
            State next = state.equals(root) ? (first.get(c) ? root.next.get(c) : null) : state.after(c);
            if (next != null)
                return next;
            state = state.fallback;
        }
        return root;
    }

    void find(String text, Spans spans) {
        if (first.isEmpty())
            return;
        State state = root;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (state.equals(root) && !first.get(c))
                continue;
            state = from(state, c);
            if (state.found > 0)
                spans.add(i + 1 - state.found, i + 1);
        }
    }
}
