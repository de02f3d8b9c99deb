package dev.toolfleet.bundle.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Checks `kind: Tool`.
final class ToolRules {
    private static final Set<String> RUNTIMES = Set.of("process", "node", "python", "deno", "bun");

    private ToolRules() {}

    static Set<String> exportNames(Resource tool) {
        return tool.spec().path("exports").values().stream().map(export -> export.path("name"))
                .filter(JsonNode::isString).map(JsonNode::stringValue).collect(Collectors.toSet());
    }

    static void check(Place spec, boolean v08, Check check) {
        boolean runnable = EntryRules.check(spec.get("entry"), check);
        if (v08)
            runtimeOfV08(spec.get("runtime"), isScript(spec.get("entry")), check.findings());
        else
            spec.get("runtime").text().filter(runtime -> !RUNTIMES.contains(runtime)).ifPresent(runtime -> check
                    .findings().warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec.get("runtime"),
                            "The runtime '" + runtime + "' is unknown.",
                            Nearest.hint(runtime, RUNTIMES, "Executables have runtime: process; Java needs none.")));
        Map<String, Place> names = new HashMap<>();
        for (Place export : spec.get("exports").items()) {
            if (export.node().isObject()) {
                ExportRules.check(export, runnable, check);
                handler(spec.get("entry"), export.get("name"), check);
                duplicate(export.get("name"), names, check.findings());
            }
        }
        AuthRules.check(spec, check);
    }

    private static boolean isScript(Place entry) {
        return entry.text().map(EntryKind::parse).filter(EntryKind.Script.class::isInstance).isPresent();
    }

    /// Checks the runtime of v0.8, which a script names.
    private static void runtimeOfV08(Place runtime, boolean script, Findings findings) {
        if (!runtime.present() && script) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, runtime, "spec.runtime is missing.",
                    "Write runtime: node, the only one that v0.8 has. A Java entry needs none.");
        }
        runtime.text().filter(name -> !name.equals("node"))
                .ifPresent(name -> findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, runtime,
                        "v0.8 has no runtime '" + name + "'.", "Write runtime: node, the only one that it has."));
    }

    /// Checks a handler's name. Only handlers of built-in Tools are known here; a worker checks the others.
    private static void handler(Place entry, Place name, Check check) {
        if (entry.node().isString() && name.node().isString()
                && EntryKind.parse(entry.node().stringValue()) instanceof EntryKind.Builtin(String builtin)) {
            String export = name.node().stringValue();
            check.builtIns().exports(builtin).filter(exports -> !exports.contains(export))
                    .ifPresent(exports -> check.findings().error(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, name,
                            "builtin:" + builtin + " has no handler for the export '" + export + "'.",
                            Nearest.hint(export, exports, "It has: " + String.join(", ", new TreeSet<>(exports))
                                    + ".")));
        }
    }

    private static void duplicate(Place name, Map<String, Place> names, Findings findings) {
        String text = name.node().stringValue("");
        @Nullable
        Place first = text.isEmpty() ? null : names.putIfAbsent(text, name);
        if (first != null) {
            findings.error(ProblemCode.E_CONFIG_DUPLICATE_NAME, name, "The export '" + text + "' exists twice in "
                    + Kinds.TOOL + "/" + name.resource().name() + "; first in line " + first.position().line() + ".",
                    "Rename or remove one.");
        }
    }
}
