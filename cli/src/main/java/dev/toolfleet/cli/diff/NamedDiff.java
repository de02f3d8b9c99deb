package dev.toolfleet.cli.diff;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import tools.jackson.databind.JsonNode;

/// Two sets of named JSON documents, compared.
///
/// @param added what is new, by name
/// @param changed what is different, by name
/// @param removed the names of what is gone
/// @param unchanged how many are as before
/// @param reordered whether those that both have stand in another order
public record NamedDiff(SequencedMap<String, JsonNode> added, SequencedMap<String, List<FieldChange>> changed,
        List<String> removed, int unchanged, boolean reordered) {

    /// Compares them. Pure.
    public static NamedDiff of(SequencedMap<String, ? extends JsonNode> before,
            SequencedMap<String, ? extends JsonNode> after) {
        SequencedMap<String, JsonNode> added = new LinkedHashMap<>();
        SequencedMap<String, List<FieldChange>> changed = new LinkedHashMap<>();
        int unchanged = 0;
        for (var entry : after.entrySet()) {
            JsonNode old = before.get(entry.getKey());
            List<FieldChange> fields = old == null ? List.of() : FieldChanges.of(old, entry.getValue());
            if (old == null)
                added.put(entry.getKey(), entry.getValue());
            else if (fields.isEmpty())
                unchanged++;
            else
                changed.put(entry.getKey(), fields);
        }
        List<String> removed = before.keySet().stream().filter(name -> !after.containsKey(name)).toList();
        List<String> common = before.keySet().stream().filter(after::containsKey).toList();
        boolean reordered = !common.equals(after.keySet().stream().filter(before::containsKey).toList());
        return new NamedDiff(added, changed, removed, unchanged, reordered);
    }

    /// True if both sets have the same content, in any order.
    public boolean sameContent() {
        return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
    }

    /// A line for each document that is not as before, and below it one for each field.
    ///
    /// @param told fields of an added document that its name contains; the other fields are listed
    public List<String> lines(Style style, int width, UnaryOperator<JsonNode> told) {
        List<String> lines = new ArrayList<>();
        added.forEach((name, document) -> add(lines, style, width, Tone.GOOD, "+ " + name,
                FieldChanges.of(told.apply(document), document)));
        changed.forEach((name, fields) -> add(lines, style, width, Tone.WAITING, "~ " + name, fields));
        removed.forEach(name -> add(lines, style, width, Tone.BAD, "- " + name, List.of()));
        return lines;
    }

    private static void add(List<String> lines, Style style, int width, Tone tone, String head,
            List<FieldChange> fields) {
        lines.add("  " + style.paint(tone, TextWidth.oneLine(head)));
        fields.forEach(field -> lines.add("      " + field.line(style, width - 6)));
    }
}
