package dev.toolfleet.bundle.check;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.bundle.SkillVersion;
import dev.toolfleet.bundle.ToolName;

/// Checks `kind: Skill`: its version, its tools, and the skills that it requires. One wrong part refuses the bundle.
final class SkillRules {
    private static final String FILE = "/SKILL.md";

    private SkillRules() {}

    static void check(Place document, Place spec, Check check) {
        Findings findings = check.findings();
        folder(document, findings);
        Place version = spec.get("version");
        version.text().filter(text -> SkillVersion.parse(text).isEmpty())
                .ifPresent(text -> findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, version,
                        version.path() + " must be a version, and is " + version.shown() + ".",
                        "Write one of semantic versioning, such as \"1.4.0\"."));
        Place body = spec.get("body");
        int bytes = body.node().stringValue("").getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SkillSpec.LARGEST_BODY)
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, body,
                    "The instructions have " + bytes + " bytes, and may have " + SkillSpec.LARGEST_BODY + ".",
                    "Shorten them, or split the skill.");
        tools(spec, check);
        for (Place required : spec.get("requires").get("tools").items())
            toolName(required, findings);
        skills(document, spec.get("requires").get("skills"), check);
        if (spec.get("allowed-tools").present())
            findings.notice(ProblemCode.E_CONFIG_NOT_ACTED_ON, spec.get("allowed-tools"),
                    spec.get("allowed-tools").path() + " is not acted on.",
                    "List the full names of the tools under tools; a ToolPolicy says which calls need no approval.");
    }

    private static void folder(Place document, Findings findings) {
        String file = document.resource().file();
        if (!file.endsWith(FILE))
            return;
        String path = file.substring(0, file.length() - FILE.length());
        String folder = path.substring(path.lastIndexOf('/') + 1);
        if (!folder.equals(document.resource().name()))
            findings.error(ProblemCode.E_CONFIG_INVALID_NAME, document.get("metadata").get("name"),
                    "The skill '" + document.resource().name() + "' lies in a folder '" + folder + "'.",
                    "Give the folder the name of the skill.");
    }

    private static void tools(Place spec, Check check) {
        Set<String> seen = new TreeSet<>();
        for (Place item : spec.get("tools").items()) {
            Place name = item.node().isObject() ? item.get("name") : item;
            if (name.text().isEmpty() || !toolName(name, check.findings()))
                continue;
            String tool = name.text().get();
            if (!seen.add(tool))
                check.findings().error(ProblemCode.E_CONFIG_DUPLICATE_REF, name,
                        tool + " is listed twice.", "Remove one.");
            else
                owner(spec.resource(), tool, check.bundle())
                        .ifPresent(other -> check.findings().error(ProblemCode.E_CONFIG_DUPLICATE_REF, name,
                                tool + " is a tool of the skill " + other + " already.",
                                "A tool belongs to one skill; remove it here, or name it under requires.tools."));
        }
    }

    private static boolean toolName(Place name, Findings findings) {
        boolean usable = name.text().flatMap(ToolName::parse).isPresent();
        if (!usable && name.text().isPresent())
            findings.error(ProblemCode.E_CONFIG_INVALID_NAME, name, name.shown() + " is no full name of a tool.",
                    "Write resource__export, such as bash__exec.");
        return usable;
    }

    /// Returns the earlier skill of the bundle that has the tool.
    private static Optional<String> owner(Resource skill, String tool, Bundle bundle) {
        for (Resource other : bundle.ofKind(Kinds.SKILL)) {
            if (other.equals(skill))
                return Optional.empty();
            boolean owns = Place.spec(other).get("tools").items().stream()
                    .map(item -> item.node().isObject() ? item.get("name") : item)
                    .anyMatch(name -> name.text().equals(Optional.of(tool)));
            if (owns)
                return Optional.of(other.name());
        }
        return Optional.empty();
    }

    private static void skills(Place document, Place required, Check check) {
        String name = document.resource().name();
        for (Place item : required.items()) {
            if (item.text().isPresent() && check.bundle().find(Kinds.SKILL, item.text().get()).isEmpty())
                check.findings().error(ProblemCode.E_CONFIG_REF_NOT_FOUND, item,
                        "The bundle has no skill " + item.shown() + ".", "Add it, or remove the condition.");
        }
        cycle(name, check.bundle()).ifPresent(path -> check.findings().error(ProblemCode.E_CONFIG_INVALID_REF, required,
                "The skills " + String.join(" → ", path) + " require each other.", "Remove one of the conditions."));
    }

    /// Returns a way from the skill over its conditions back to it.
    private static Optional<List<String>> cycle(String start, Bundle bundle) {
        Map<String, String> from = new LinkedHashMap<>();
        List<String> next = new ArrayList<>(List.of(start));
        while (!next.isEmpty()) {
            String skill = next.removeFirst();
            for (String required : required(skill, bundle)) {
                if (required.equals(start))
                    return Optional.of(way(start, skill, from));
                if (from.putIfAbsent(required, skill) == null)
                    next.add(required);
            }
        }
        return Optional.empty();
    }

    private static List<String> way(String start, String last, Map<String, String> from) {
        List<String> way = new ArrayList<>(List.of(start));
        for (String at = last; !at.equals(start); at = from.getOrDefault(at, start))
            way.addFirst(at);
        way.addFirst(start);
        return way;
    }

    private static Set<String> required(String skill, Bundle bundle) {
        return bundle.find(Kinds.SKILL, skill)
                .map(resource -> Place.spec(resource).get("requires").get("skills").texts()).orElse(Set.of());
    }
}
