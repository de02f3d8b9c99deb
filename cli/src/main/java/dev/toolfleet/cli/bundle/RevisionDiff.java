package dev.toolfleet.cli.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

import dev.toolfleet.cli.diff.NamedDiff;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Changes that applying a bundle would make, field by field; for `apply --dry-run`.
///
/// @param now the revision that the fleet has; 0 for none
/// @param next the revision that the bundle would be at
/// @param changes of what readers see; the digests of files stand beside the resource's own fields
public record RevisionDiff(String bundle, long now, long next, NamedDiff changes) {
    /// Compares a plan with what readers see before it. Pure.
    public static RevisionDiff of(RevisionPlan plan, ResourceTable before) {
        SequencedMap<String, JsonNode> old = new TreeMap<>();
        before.view().bundle(plan.bundle()).map(BundleResources::records)
                .ifPresent(records -> records.forEach((name, record) -> old.put(name, document(record))));
        SequencedMap<String, JsonNode> next = new TreeMap<>(plan.changes() ? new TreeMap<>() : old);
        for (RevisionPlan.Entry entry : plan.entries()) {
            String name = entry.key().substring(plan.bundle().length() + 1);
            ResourceRecord value = entry.value();
            if (value != null && !name.startsWith(ResourceRecord.REVISION + "/"))
                next.put(name, document(value));
        }
        long now = before.view().bundle(plan.bundle()).map(BundleResources::revision).orElse(0L);
        return new RevisionDiff(plan.bundle(), now, plan.revision(), NamedDiff.of(old, next));
    }

    private static JsonNode document(ResourceRecord record) {
        ObjectNode document = record.resource().deepCopy();
        if (!record.files().isEmpty()) {
            ObjectNode files = document.putObject("files");
            record.files().forEach(files::put);
        }
        return document;
    }

    /// For a person: a line of numbers, then what is not as before.
    public List<String> lines(Style style, int width) {
        List<String> lines = new ArrayList<>();
        if (now == next && changes.sameContent()) {
            lines.add("nothing would change: " + bundle + " is at revision " + now + " already; " + changes.unchanged()
                    + " resources");
            return lines;
        }
        lines.add(bundle + " would go from " + (now == 0 ? "no revision" : "revision " + now) + " to revision " + next
                + ": " + changes.added().size() + " added, " + changes.changed().size() + " changed, "
                + changes.removed().size() + " pruned, " + changes.unchanged() + " unchanged; nothing was written");
        lines.addAll(changes.lines(style, width, RevisionDiff::withoutSpec));
        return lines;
    }

    private static JsonNode withoutSpec(JsonNode document) {
        return document.deepCopy() instanceof ObjectNode copy && copy.path("spec").isObject()
                ? copy.set("spec", Json.MAPPER.createObjectNode())
                : document;
    }
}
