package dev.toolfleet.cli.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.json.Json;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;

/// A query of the dashboard or of an alert rule.
///
/// @param where panel or alert
/// @param query what it reads
/// @param shown labels that a legend or a message shows
record Observed(String where, PromQuery query, Set<String> shown) {
    static final Path DOCKER = Path.of("../docker");

    private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");
    private static final Pattern MESSAGE = Pattern.compile("\\$labels\\.(\\w+)");

    static List<Observed> all() throws IOException {
        List<Observed> all = new ArrayList<>(dashboard());
        alerts().forEach(rule -> all.add(new Observed("alert " + rule.path("alert").asString(),
                PromQuery.of(rule.path("expr").asString()), names(MESSAGE, rule.path("annotations").toString()))));
        return all;
    }

    static List<Observed> dashboard() throws IOException {
        JsonNode dashboard = Json.MAPPER
                .readTree(Files.readString(DOCKER.resolve("grafana/dashboards/toolfleet.json")));
        List<Observed> all = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets"))
                all.add(new Observed("panel " + panel.path("title").asString(),
                        PromQuery.of(target.path("expr").asString()),
                        names(LEGEND, target.path("legendFormat").asString(""))));
        }
        return all;
    }

    /// The alert rules.
    static List<JsonNode> alerts() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        for (JsonNode group : yaml(DOCKER.resolve("prometheus/alerts.yml")).path("groups"))
            group.path("rules").forEach(rules::add);
        return rules;
    }

    /// A YAML file as a tree.
    static JsonNode yaml(Path file) throws IOException {
        return Json.MAPPER.valueToTree(new Load(LoadSettings.builder().setLabel(file.toString()).build())
                .loadFromString(Files.readString(file)));
    }

    private static Set<String> names(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        for (Matcher name = pattern.matcher(text); name.find();)
            names.add(name.group(1));
        return names;
    }

    /// What does not fit to what is exported; empty when all of it does.
    List<String> unknown(Scrape scrape) {
        List<String> unknown = new ArrayList<>();
        Set<String> known = new TreeSet<>();
        query.selected().forEach((metric, labels) -> {
            Set<String> exported = scrape.labels().get(metric);
            if (exported == null) {
                unknown.add(where + " reads " + metric + ", which nobody exports");
                return;
            }
            known.addAll(exported);
            labels.stream().filter(label -> !exported.contains(label))
                    .forEach(label -> unknown.add(where + " selects by " + label + ", which " + metric + " has not"));
        });
        if (unknown.isEmpty())
            query.grouped().stream().filter(label -> !known.contains(label))
                    .forEach(label -> unknown.add(where + " groups by " + label + ", which nothing in it has"));
        shown.stream().filter(label -> !isThere(label, known))
                .forEach(label -> unknown.add(where + " shows " + label + ", which its result has not"));
        return unknown;
    }

    /// Whether a label is left when the query is done.
    private boolean isThere(String label, Set<String> known) {
        return query.aggregates() ? query.grouped().contains(label) : known.contains(label);
    }
}
