package dev.toolfleet.worker.tools.toolsearch;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import dev.toolfleet.wire.ToolCatalogItem;

/// Query of a model for tools; case does not count. It finds the tools whose name or description holds the whole text,
/// as in Goondan (v0.0.3). If there is none, it finds those that hold some of its words: most words first, and words in
/// names count more.
record Query(String text, List<String> words) {
    private static final int IN_NAME = 3;
    private static final int IN_DESCRIPTION = 1;

    private record Hit(ToolCatalogItem tool, int score) {}

    static Query of(String text) {
        String folded = folded(text.strip());
        return new Query(folded,
                Arrays.stream(folded.split("[^\\p{L}\\p{N}]+")).filter(word -> !word.isEmpty()).distinct().toList());
    }

    /// The best first; equally good ones keep their order.
    List<ToolCatalogItem> best(List<ToolCatalogItem> tools, int limit) {
        List<ToolCatalogItem> whole = tools.stream().filter(tool -> score(tool, text) > 0).toList();
        if (!whole.isEmpty())
            return whole.subList(0, Math.min(limit, whole.size()));
        return tools.stream().map(tool -> new Hit(tool, words.stream().mapToInt(word -> score(tool, word)).sum()))
                .filter(hit -> hit.score() > 0).sorted(Comparator.comparingInt(Hit::score).reversed()).limit(limit)
                .map(Hit::tool).toList();
    }

    private static int score(ToolCatalogItem tool, String text) {
        if (folded(tool.name()).contains(text))
            return IN_NAME;
        String description = tool.description();
        return description != null && folded(description).contains(text) ? IN_DESCRIPTION : 0;
    }

    private static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
