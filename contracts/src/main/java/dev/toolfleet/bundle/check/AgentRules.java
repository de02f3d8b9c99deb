package dev.toolfleet.bundle.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.check.Refs.Target;
import org.jspecify.annotations.Nullable;

/// `kind: Agent`: its tools, extensions and required tools. Model and prompt are the agent runtime's, apart from the
/// reference.
final class AgentRules {
    private final Place spec;
    private final Check check;

    private AgentRules(Place spec, Check check) {
        this.spec = spec;
        this.check = check;
    }

    static void check(Place spec, Check check) {
        new AgentRules(spec, check).check();
    }

    private void check() {
        check.knownFields(spec, Set.of("modelConfig", "prompt", "tools", "extensions", "requiredTools"));
        check.shapes().mapping(spec.get("prompt"));
        if (check.shapes().mapping(spec.get("modelConfig")) && spec.get("modelConfig").get("modelRef").present()) {
            check.refs().follow(spec.get("modelConfig").get("modelRef"), Kinds.MODEL);
        }
        List<Target> tools = references(spec.get("tools"), Kinds.TOOL, Set.of("ref"));
        references(spec.get("extensions"), Kinds.EXTENSION, Set.of("ref", "config"));
        for (Place required : check.shapes().list(spec.get("requiredTools"))) {
            check.shapes().requiredText(required, "Write full names such as bash__exec.")
                    .ifPresent(name -> required(name, required, tools));
        }
    }

    private List<Target> references(Place list, String kind, Set<String> fields) {
        List<Target> targets = new ArrayList<>();
        Map<String, Place> seen = new HashMap<>();
        for (Place item : check.shapes().list(list)) {
            if (item.node().has("ref")) {
                check.knownFields(item, fields);
                check.shapes().mapping(item.get("config"));
            }
            Optional<Target> target = check.refs().follow(item, kind);
            if (target.isEmpty()) {
                continue;
            }
            targets.add(target.get());
            @Nullable
            Place before = seen.putIfAbsent(target.get().name(), item);
            if (before != null) {
                check.findings().warning(ProblemCode.E_CONFIG_DUPLICATE_REF, item,
                        kind + " " + target.get().name() + " is listed twice; the first time in line "
                                + before.position().line() + ".",
                        "The first place and the last content count. List it once.");
            }
        }
        return targets;
    }

    private void required(String name, Place place, List<Target> tools) {
        Optional<ToolName> parsed = ToolName.parse(name);
        if (parsed.isEmpty()) {
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place, "'" + name + "' is no full tool name.",
                    "Write resource__export, such as bash__exec.");
            return;
        }
        if (tools.stream().noneMatch(tool -> offers(tool, parsed.get()))) {
            check.findings().error(ProblemCode.E_CONFIG_REF_NOT_FOUND, place,
                    "The required tool " + name + " is not among the agent's tools.",
                    Nearest.hint(name, fullNames(tools), "Add its Tool to spec.tools."));
        }
    }

    private boolean offers(Target tool, ToolName name) {
        return tool.name().equals(name.resource())
                && exports(tool).map(exports -> exports.contains(name.export())).orElse(true);
    }

    private Optional<Set<String>> exports(Target tool) {
        return switch (tool) {
            case Target.Local local -> Optional.of(ToolRules.exportNames(local.resource()));
            case Target.BuiltIn builtIn -> check.builtIns().exports(builtIn.name());
            case Target.Unseen unseen -> Optional.empty();
        };
    }

    private Set<String> fullNames(List<Target> tools) {
        Set<String> names = new TreeSet<>();
        for (Target tool : tools) {
            exports(tool).orElse(Set.of()).forEach(export -> names.add(tool.name() + "__" + export));
        }
        return names;
    }
}
