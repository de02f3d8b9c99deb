package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.ToolNaming;

/// Checks the `tool` of a rule: a pattern that selects a tool, in the fleet's notation.
final class PolicyPatterns {
    private static final String BRIDGE = new EntryKind.Builtin(BuiltIns.MCP).text();

    private final Check check;
    private final Set<String> groups;
    private final Set<String> tools = new TreeSet<>();
    /// The names that models call, as far as they are known.
    private final Set<String> names = new TreeSet<>();
    /// The beginnings of the other tools' names.
    private final Set<String> prefixes = new TreeSet<>();

    PolicyPatterns(Check check) {
        this.check = check;
        groups = check.groups();
        for (String tool : check.builtIns().names(Kinds.TOOL)) {
            tools.add(tool);
            check.builtIns().exports(tool).ifPresentOrElse(exports -> add(ToolNaming.SEPARATED, tool, exports),
                    () -> prefixes.add(tool + "__"));
        }
        for (Resource tool : check.bundle().ofKind(Kinds.TOOL)) {
            tools.add(tool.name());
            add(ToolNaming.of(tool.document()), tool.name(), ToolRules.exportNames(tool));
        }
        // Which tools an MCP server has is known once it runs.
        check.bundle().ofKind(Kinds.EXTENSION).stream().map(Resource::spec)
                .filter(spec -> spec.path("entry").asString("").equals(BRIDGE))
                .flatMap(spec -> spec.path("config").path("servers").propertyNames().stream())
                .forEach(server -> prefixes.add(server + "__"));
    }

    private void add(ToolNaming naming, String tool, Set<String> exports) {
        exports.stream().filter(export -> naming.problem(tool, export).isEmpty())
                .forEach(export -> names.add(naming.fullName(tool, export)));
    }

    /// @param elsewhere true if the rule may mean tools that this bundle cannot know
    void check(Place tool, boolean elsewhere) {
        String text = tool.node().stringValue("").strip();
        if (text.contains(":")) {
            check.findings().error(ProblemCode.E_CONFIG_RULE_PATTERN, tool,
                    "'" + text + "' selects nothing: no tool's name has a colon.", instead(text));
        } else if (Glob.problem(text).isPresent()) {
            check.findings().error(ProblemCode.E_CONFIG_RULE_PATTERN, tool,
                    "The pattern '" + text + "' " + Glob.problem(text).get() + ".",
                    "A * stands for anything, as in bash__*; several patterns are a list.");
        } else if (!Glob.of(text).equals(Glob.ANY) && !selects(Glob.of(text))) {
            check.findings().add(elsewhere ? Severity.HINT : Severity.WARNING, ProblemCode.E_CONFIG_REF_NOT_FOUND, tool,
                    "No tool of this bundle or the built-in one is selected by '" + text + "'.", meant(text));
        }
    }

    /// Returns the fleet's notation for prefixes of FinClaw and others.
    private String instead(String text) {
        String[] parts = text.split(":", -1);
        String prefix = RuleSelector.group(parts[0]);
        String rest = parts[parts.length - 1].strip();
        if (prefix.equals("mcp"))
            return parts.length < 3
                    ? "Write source: mcp."
                    : "Write source: mcp and tool: " + parts[1] + "__" + rest
                            + ".";
        if (prefix.equals("group"))
            return "Write group: " + rest + ".";
        if (rest.equals("*") && groups.stream().map(RuleSelector::group).anyMatch(prefix::equals))
            return "Write group: " + prefix + ".";
        return "Write tool: " + String.join("__", parts) + ", or group: " + prefix + " if you mean a group.";
    }

    private boolean selects(Glob glob) {
        return names.stream().anyMatch(glob::matches)
                || prefixes.stream().anyMatch(prefix -> mayStartWith(glob, prefix));
    }

    /// True if some continuation of the prefix could be selected.
    private static boolean mayStartWith(Glob glob, String prefix) {
        String text = glob.toString();
        int star = text.indexOf('*');
        String head = star < 0 ? text : text.substring(0, star);
        return head.startsWith(prefix) || (star >= 0 && prefix.startsWith(head));
    }

    private String meant(String text) {
        if (tools.contains(text))
            return "A Tool is called by its exports: write " + text + "__*.";
        String head = text.replaceAll("[_*]+$", "");
        if (groups.contains(head))
            return "Write group: " + head + " if you mean the group.";
        return Nearest.hint(text, names, "Fine if another bundle or an MCP server has it.");
    }
}
