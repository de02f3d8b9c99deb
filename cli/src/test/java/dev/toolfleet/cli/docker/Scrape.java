package dev.toolfleet.cli.docker;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a process exports, in Prometheus' text format: each series' name with the labels that it ever has.
record Scrape(Map<String, Set<String>> labels) {
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? [^ \n]+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    static Scrape of(String text) {
        Map<String, Set<String>> labels = new TreeMap<>();
        for (Matcher sample = SAMPLE.matcher(text); sample.find();) {
            Set<String> names = labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
            if (sample.group(2) == null)
                continue;
            for (Matcher label = LABEL.matcher(sample.group(2)); label.find();)
                names.add(label.group(1));
        }
        return new Scrape(labels);
    }

    /// Both, with what Prometheus itself adds.
    Scrape with(Scrape other) {
        Map<String, Set<String>> all = new TreeMap<>();
        labels.forEach((name, names) -> all.put(name, new TreeSet<>(names)));
        other.labels.forEach((name, names) -> all.computeIfAbsent(name, n -> new TreeSet<>()).addAll(names));
        all.put("up", new TreeSet<>());
        all.values().forEach(names -> names.addAll(Set.of("job", "instance")));
        return new Scrape(all);
    }
}
