package dev.toolfleet.worker.tools.skills;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Answer of `skills__list` within a number of characters. Too long, it first loses descriptions and versions, then
/// skills from its end; their names stay. The list begins with the skills of the agent's bundle, so these go last.
final class SkillList {
    private SkillList() {}

    /// A skill, and why it is not ready.
    record Entry(SkillSpec skill, Optional<String> problem) {}

    static ObjectNode of(List<Entry> entries, int maxCharacters) {
        ObjectNode full = result(entries, true);
        if (full.toString().length() <= maxCharacters)
            return full;
        int kept = entries.size();
        ObjectNode compact = result(entries, false);
        while (kept > 0 && compact.toString().length() > maxCharacters) {
            // At least one, and about as many as the excess takes.
            int excess = compact.toString().length() - maxCharacters;
            int average = Math.max(1, compact.toString().length() / kept);
            kept = Math.max(0, kept - Math.max(1, excess / average));
            compact = result(entries.subList(0, kept), false);
        }
        if (kept < entries.size()) {
            ArrayNode omitted = compact.putArray("omitted");
            entries.subList(kept, entries.size()).forEach(entry -> omitted.add(entry.skill().name()));
        }
        return compact.put("message", "The list is shortened. Call skills__list with a query for descriptions.");
    }

    private static ObjectNode result(List<Entry> entries, boolean full) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        ArrayNode skills = result.putArray("skills");
        for (Entry entry : entries) {
            ObjectNode skill = skills.addObject().put("name", entry.skill().name());
            if (full)
                skill.put("description", entry.skill().description()).put("version",
                        entry.skill().version().text());
            skill.put("ready", entry.problem().isEmpty());
            entry.problem().ifPresent(problem -> skill.put("reason", problem));
        }
        return result;
    }
}
