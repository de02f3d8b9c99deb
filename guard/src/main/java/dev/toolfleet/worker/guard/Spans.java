package dev.toolfleet.worker.guard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/// Pieces of one text that must not be published. Not thread-safe.
final class Spans {
    private record Span(int start, int end) {}

    private final List<Span> found = new ArrayList<>();

    /// Adds a piece; an empty one changes nothing.
    void add(int start, int end) {
        if (end > start)
            found.add(new Span(start, end));
    }

    /// Visits start and end of each piece, in no order.
    void forEach(IntBiConsumer each) {
        for (Span span : found)
            each.accept(span.start(), span.end());
    }

    /// Takes the start and the end of a piece.
    @FunctionalInterface
    interface IntBiConsumer {
        void accept(int start, int end);
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /// Returns the text with a marker for each piece; pieces that overlap have one.
    ///
    /// @param marker by the length of the replaced text
    String redacted(String text, IntFunction<String> marker) {
        if (found.isEmpty())
            return text;
        found.sort(Comparator.comparingInt(Span::start).thenComparingInt(Span::end));
        StringBuilder out = new StringBuilder(text.length());
        int written = 0;
        int start = found.getFirst().start();
        int end = found.getFirst().end();
        for (Span span : found) {
            if (span.start() >= end) {
                out.append(text, written, start).append(marker.apply(end - start));
                written = end;
                start = span.start();
            }
            end = Math.max(end, span.end());
        }
        return out.append(text, written, start).append(marker.apply(end - start)).append(text, end, text.length())
                .toString();
    }
}
