package dev.toolfleet.worker.guard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The pieces of one text that must not be published. Not thread-safe.
final class Spans {
    private record Span(int start, int end) {}

    private final List<Span> found = new ArrayList<>();

    /// Nothing happens when it is empty.
    void add(int start, int end) {
        if (end > start)
            found.add(new Span(start, end));
    }

    /// Calls with start and end of each piece, in no order.
    void forEach(IntBiConsumer each) {
        for (Span span : found)
            each.accept(span.start(), span.end());
    }

    /// Takes where a piece begins and where it ends.
    @FunctionalInterface
    interface IntBiConsumer {
        void accept(int start, int end);
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /// The text with the marker for each piece; pieces that overlap have one.
    String redacted(String text) {
        if (found.isEmpty())
            return text;
        found.sort(Comparator.comparingInt(Span::start).thenComparingInt(Span::end));
        StringBuilder out = new StringBuilder(text.length());
        int from = 0;
        int end = -1;
        for (Span span : found) {
            if (span.start() >= end) {
                if (end >= 0)
                    from = end;
                out.append(text, from, span.start()).append(Markers.REDACTED);
            }
            end = Math.max(end, span.end());
        }
        return out.append(text, end, text.length()).toString();
    }
}
