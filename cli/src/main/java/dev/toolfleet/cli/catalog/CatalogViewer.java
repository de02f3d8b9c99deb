package dev.toolfleet.cli.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.cli.diff.NamedDiff;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet catalog show` and `toolfleet catalog diff`: what models see, and what changed between two catalogs.
public final class CatalogViewer {
    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Catalogs of this fleet.
    public CatalogViewer(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Prints the newest catalog of each of an instance's agents.
    ///
    /// @param agent only that of this one; empty for all
    /// @param json one JSON object a line
    /// @throws Failure when there is none
    public int show(String instanceKey, Optional<String> agent, boolean json) {
        try (ProgressNote progress = fleet.progress(); CatalogTopics topics = new CatalogTopics(fleet, progress)) {
            CatalogTopics.Steps steps = topics.steps(instanceKey);
            List<StepCatalog> shown = chosen(steps, instanceKey, agent);
            Set<String> digests = shown.stream().map(StepCatalog::digest).collect(Collectors.toSet());
            // Read after the steps: a step and its content are published together.
            Map<String, List<ToolCatalogItem>> contents = topics.contents(digests::contains);
            CatalogText text = new CatalogText(fleet.view());
            boolean first = true;
            for (StepCatalog step : shown) {
                if (json) {
                    terminal.print(ShownJson.line(json(step, contents.get(step.digest()))));
                } else {
                    if (!first)
                        terminal.print("");
                    first = false;
                    terminal.print(text.catalog(step, contents.get(step.digest())));
                }
            }
        }
        return Failure.SUCCESS;
    }

    /// Prints which tools two contents do not have in common, field by field.
    ///
    /// @param one the first digits of a content's digest
    /// @param two the first digits of another's
    /// @throws Failure when a digest is unknown or not clear
    public int diff(String one, String two) {
        DigestPrefix before = DigestPrefix.of(one);
        DigestPrefix after = DigestPrefix.of(two);
        Map<String, List<ToolCatalogItem>> contents;
        try (ProgressNote progress = fleet.progress(); CatalogTopics topics = new CatalogTopics(fleet, progress)) {
            contents = topics.contents(digest -> before.fits(digest) || after.fits(digest));
        }
        String old = before.resolve(contents.keySet());
        String now = after.resolve(contents.keySet());
        NamedDiff diff = NamedDiff.of(byName(contents.getOrDefault(old, List.of())),
                byName(contents.getOrDefault(now, List.of())));
        terminal.print(old + " → " + now + ": " + summary(diff));
        View wide = View.of(terminal, fleet.clock().instant(), Integer.MAX_VALUE);
        terminal.print(diff.lines(wide.style(), wide.width(), CatalogViewer::nameOnly));
        return Failure.SUCCESS;
    }

    static List<StepCatalog> chosen(CatalogTopics.Steps steps, String instanceKey, Optional<String> agent) {
        Map<String, StepCatalog> byAgent = steps.byAgent();
        if (byAgent.isEmpty()) {
            List<String> others = new ArrayList<>(steps.otherInstances().reversed());
            throw Failure.failed("no catalog is published for the instance '" + instanceKey
                    + "': none of its steps was announced on agent.step, no catalog service runs, or the last step is"
                    + " too long ago. " + (others.isEmpty()
                            ? "No other instance has one either."
                            : "Instances that have one: " + String.join(", ", others) + "."));
        }
        if (agent.isEmpty())
            return List.copyOf(byAgent.values());
        StepCatalog chosen = byAgent.get(agent.get());
        if (chosen == null)
            throw Failure.failed("no catalog is published for the agent '" + agent.get() + "' of the instance '"
                    + instanceKey + "'; its agents that have one: " + String.join(", ", byAgent.keySet()));
        return List.of(chosen);
    }

    private static String summary(NamedDiff diff) {
        String order = diff.reordered() ? "in another order" : "in the same order";
        return diff.sameContent()
                ? "the same " + diff.unchanged() + " tools, " + order
                : diff.added().size() + " added, " + diff.changed().size() + " changed, " + diff.removed().size()
                        + " removed, " + diff.unchanged() + " unchanged, " + order;
    }

    private static SequencedMap<String, JsonNode> byName(Collection<ToolCatalogItem> items) {
        SequencedMap<String, JsonNode> byName = new LinkedHashMap<>();
        items.forEach(item -> byName.put(item.name(), Json.MAPPER.valueToTree(item)));
        return byName;
    }

    private static JsonNode nameOnly(JsonNode item) {
        return Json.MAPPER.createObjectNode().set("name", item.path("name"));
    }

    private static ObjectNode json(StepCatalog step, @Nullable List<ToolCatalogItem> items) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.set("catalog", Json.MAPPER.valueToTree(step));
        json.set("tools", Json.MAPPER.valueToTree(items));
        return json;
    }
}
