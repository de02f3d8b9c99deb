package dev.toolfleet.cli.docker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a PromQL expression reads: each metric with the labels that its selector names, and the labels that the
/// expression groups by.
///
/// @param selected labels by metric
/// @param grouped labels of `by`, `on` and `group_left`
/// @param aggregates whether it keeps no labels but those
record PromQuery(Map<String, Set<String>> selected, Set<String> grouped, boolean aggregates) {
    private static final Pattern TOKEN = Pattern.compile(
            "\\d[\\w.]*|[a-zA-Z_:][\\w:]*|\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*]|.",
            Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][\\w:]*");
    private static final Set<String> GROUPING = Set.of("by", "on", "group_left");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");
    private static final Set<String> AGGREGATIONS = Set.of("sum", "max", "min", "avg", "count", "absent");
    private static final Set<String> FUNCTIONS = Set.of("topk", "rate", "increase", "histogram_quantile",
            "vector");

    /// Reads an expression.
    ///
    /// @throws IllegalArgumentException for a function that is not known here
    static PromQuery of(String expression) {
        Map<String, Set<String>> selected = new LinkedHashMap<>();
        Set<String> grouped = new TreeSet<>();
        // Where names are labels: of the last metric, or of a grouping; null elsewhere.
        Set<String> labels = Set.of();
        boolean inside = false;
        Set<String> last = Set.of();
        boolean grouping = false;
        boolean aggregates = false;
        String rest = expression.strip();
        for (Matcher token = TOKEN.matcher(rest); token.find();) {
            String text = token.group();
            if (text.equals("{")) {
                labels = last;
                inside = true;
            } else if (grouping && text.equals("(")) {
                labels = grouped;
                inside = true;
                grouping = false;
            } else if (text.equals("}") || (inside && text.equals(")"))) {
                inside = false;
            } else if (NAME.matcher(text).matches()) {
                if (inside)
                    labels.add(text);
                else if (GROUPING.contains(text))
                    grouping = true;
                else if (AGGREGATIONS.contains(text))
                    aggregates = true;
                else if (!WORDS.contains(text) && !isFunction(text, rest.substring(token.end())))
                    last = selected.computeIfAbsent(text, name -> new TreeSet<>());
            }
        }
        return new PromQuery(selected, grouped, aggregates);
    }

    private static boolean isFunction(String name, String behind) {
        if (FUNCTIONS.contains(name))
            return true;
        if (behind.stripLeading().startsWith("("))
            throw new IllegalArgumentException("there is no PromQL function " + name + " in this test");
        return false;
    }
}
