package dev.toolfleet.bundle.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// `kind: Tool`.
final class ToolRules {
    private static final Set<String> RUNTIMES = Set.of("process", "node", "python", "deno", "bun");

    private ToolRules() {}

    static Set<String> exportNames(Resource tool) {
        return tool.spec().path("exports").values().stream().map(export -> export.path("name"))
                .filter(JsonNode::isString).map(JsonNode::stringValue).collect(Collectors.toSet());
    }

    static void check(Place spec, Check check) {
        check.knownFields(spec, Set.of("entry", "errorMessageLimit", "runtime", "config", "exports"));
        boolean runnable = EntryRules.check(spec.get("entry"), check);
        check.shapes().positiveWhole(spec.get("errorMessageLimit"));
        check.shapes().mapping(spec.get("config"));
        check.shapes().text(spec.get("runtime")).filter(runtime -> !RUNTIMES.contains(runtime))
                .ifPresent(runtime -> check.findings().warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec.get("runtime"),
                        "The runtime '" + runtime + "' is unknown.",
                        Nearest.hint(runtime, RUNTIMES, "Executables say runtime: process; Java needs none.")));
        Place exports = spec.get("exports");
        if (!exports.present() || (exports.node().isArray() && exports.node().isEmpty())) {
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, exports,
                    "spec.exports must have at least one item.", "An export is what a model calls.");
        }
        Map<String, Place> names = new HashMap<>();
        for (Place export : check.shapes().list(exports)) {
            if (!export.node().isObject()) {
                check.shapes().wrong(export, "a mapping");
                continue;
            }
            ExportRules.check(export, runnable, check);
            duplicate(export.get("name"), names, check.findings());
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
