package dev.toolfleet.worker.tools.args;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/// Query of a model for tools or skills; case does not count. It finds those whose name or description holds the whole
/// text, as in Goondan (v0.0.3). If there is none, it finds those that hold some of its words: most words first, and
/// words in names count more.
///
/// @param text in lower case
/// @param words of the text, each once
public record Query(String text, List<String> words) {
    private static final int IN_NAME = 3;
    private static final int IN_DESCRIPTION = 1;

    private record Hit<T>(T thing, int score) {}

    /// A thing as the query sees it.
    ///
    /// @param description null for none
    public record Described(String name, @Nullable String description) {
        private int score(String text) {
            if (folded(name).contains(text))
                return IN_NAME;
            return description != null && folded(description).contains(text) ? IN_DESCRIPTION : 0;
        }
    }

    /// Reads a model's text.
    public static Query of(String text) {
        String folded = folded(text.strip());
        return new Query(folded,
                Arrays.stream(folded.split("[^\\p{L}\\p{N}]+")).filter(word -> !word.isEmpty()).distinct().toList());
    }

    /// Returns the best first; equally good ones keep their order.
    ///
    /// @param limit the most that are returned
    public <T> List<T> best(List<T> things, Function<T, Described> described, int limit) {
        List<T> whole = things.stream().filter(thing -> described.apply(thing).score(text) > 0).toList();
        if (!whole.isEmpty())
            return whole.subList(0, Math.min(limit, whole.size()));
        return things.stream().map(thing -> new Hit<>(thing,
                words.stream().mapToInt(word -> described.apply(thing).score(word)).sum()))
                .filter(hit -> hit.score() > 0)
                .sorted(Comparator.<Hit<T>>comparingInt(Hit::score).reversed()).limit(limit).map(Hit::thing).toList();
    }

    private static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
