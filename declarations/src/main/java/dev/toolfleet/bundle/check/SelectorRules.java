package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.EntryPattern;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;

/// Checks the fields with which rules and guards select tools: their form, and that they select something.
final class SelectorRules {
    private final Findings findings;
    private final PolicyPatterns patterns;
    private final Set<String> groups;
    /// The code of the known tools.
    private final Set<String> entries;

    SelectorRules(Check check) {
        findings = check.findings();
        patterns = new PolicyPatterns(check);
        groups = check.groups();
        entries = new TreeSet<>();
        check.builtIns().names(Kinds.TOOL).forEach(name -> entries.add(new EntryKind.Builtin(name).text()));
        check.bundle().ofKind(Kinds.TOOL).stream().map(tool -> tool.spec().path("entry").asString(""))
                .forEach(entry -> entries.add(EntryKind.parse(entry).text()));
    }

    void check(Place rule, Reach reach) {
        boolean elsewhere = reach == Reach.FLEET || texts(rule.get("source")).stream()
                .anyMatch(source -> !Set.of("config", "built-in").contains(source.node().asString("")));
        texts(rule.get("tool")).forEach(tool -> patterns.check(tool, elsewhere));
        texts(rule.get("entry")).forEach(entry -> entry(entry, elsewhere));
        for (Place group : texts(rule.get("group"))) {
            String name = RuleSelector.group(group.node().asString(""));
            if (groups.stream().map(RuleSelector::group).noneMatch(name::equals) && !elsewhere)
                findings.warning(ProblemCode.E_CONFIG_REF_NOT_FOUND, group, "No ToolGroup is called '" + name + "'.",
                        Nearest.hint(name, groups, "There is: " + String.join(", ", groups) + "."));
        }
        texts(rule.get("flag"));
    }

    private void entry(Place entry, boolean elsewhere) {
        String text = entry.node().asString("").strip();
        Optional<String> problem = EntryPattern.problem(text);
        if (problem.isPresent())
            findings.error(ProblemCode.E_CONFIG_RULE_PATTERN, entry, "The entry '" + text + "' " + problem.get() + ".",
                    entries.contains("builtin:" + text)
                            ? "Write builtin:" + text + "."
                            : "Write the Tool's spec.entry; a name such as bash__exec belongs to tool.");
        else if (entries.stream().noneMatch(EntryPattern.of(text)::matches))
            findings.add(elsewhere ? Severity.HINT : Severity.WARNING, ProblemCode.E_CONFIG_REF_NOT_FOUND, entry,
                    "No Tool of this bundle or the built-in one has the entry '" + text + "'.",
                    Nearest.hint(text, entries, "Fine if another bundle or an MCP server has it."));
    }

    /// Returns the items of a text or a list of texts. An empty list is an error: it selects nothing, but looks as if
    /// it selected everything.
    List<Place> texts(Place place) {
        if (place.node().isMissingNode())
            return List.of();
        if (!place.present() || (place.node().isArray() && place.node().isEmpty())) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place,
                    place.path() + " is empty: the rule would select nothing.",
                    "Leave " + place.key() + " out if it does not matter, or name at least one.");
            return List.of();
        }
        List<Place> items = place.node().isArray() ? place.items() : List.of(place);
        return items.stream().filter(item -> item.text().isPresent()).toList();
    }
}
