package dev.toolfleet.bundle.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolNaming;
import dev.toolfleet.bundle.check.Refs.Target;
import org.jspecify.annotations.Nullable;

/// Checks `kind: Agent`: its tools, extensions and required tools. Model and prompt belong to the agent runtime, apart
/// from the reference.
final class AgentRules {
    /// Target and place of a reference.
    private record Listed(Target target, Place place) {}

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
        Place model = spec.get("modelConfig").get("modelRef");
        if (model.present())
            check.refs().follow(model, Kinds.MODEL);
        List<Listed> tools = references(spec.get("tools"), Kinds.TOOL);
        Map<String, Listed> byFullName = byFullName(tools);
        references(spec.get("extensions"), Kinds.EXTENSION);
        for (Place required : spec.get("requiredTools").items())
            required.text().ifPresent(name -> required(name, required, tools, byFullName.keySet()));
    }

    /// Returns the references of a list. Of two equal ones the last counts, at the first place.
    private List<Listed> references(Place list, String kind) {
        Map<String, Listed> listed = new LinkedHashMap<>();
        for (Place item : list.items()) {
            Optional<Target> target = check.refs().follow(item, kind);
            if (target.isEmpty()) {
                continue;
            }
            @Nullable
            Listed before = listed.put(target.get().name(), new Listed(target.get(), item));
            if (before != null) {
                check.findings().warning(ProblemCode.E_CONFIG_DUPLICATE_REF, item,
                        kind + " " + target.get().name() + " is listed twice; the first time in line "
                                + before.place().position().line() + ".",
                        "The first place and the last content count. List it once.");
            }
        }
        return List.copyOf(listed.values());
    }

    /// Returns the names by which the agent's model calls its tools, as far as they are known here. Each must occur
    /// once.
    private Map<String, Listed> byFullName(List<Listed> tools) {
        Map<String, Listed> names = new TreeMap<>();
        for (Listed tool : tools) {
            for (String name : fullNames(tool.target())) {
                @Nullable
                Listed other = names.putIfAbsent(name, tool);
                if (other != null) {
                    check.findings().error(ProblemCode.E_CONFIG_DUPLICATE_NAME, tool.place(),
                            "The agent would have two tools called " + name + ": of Tool/" + other.target().name()
                                    + " in line " + other.place().position().line() + ", and of Tool/"
                                    + tool.target().name() + ".",
                            "A model calls by the name alone. Rename one of the exports, or list only one of the Tools.");
                }
            }
        }
        return names;
    }

    private void required(String name, Place place, List<Listed> tools, Set<String> known) {
        if (known.contains(name))
            return;
        Optional<ToolName> parsed = ToolName.parse(name);
        if (parsed.isEmpty() && name.indexOf('.') < 0) {
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place, "'" + name + "' is no full tool name.",
                    "Write resource__export, such as bash__exec.");
        } else if (tools.stream().noneMatch(tool -> mayOffer(tool.target(), parsed))) {
            check.findings().error(ProblemCode.E_CONFIG_REF_NOT_FOUND, place,
                    "The required tool " + name + " is not among the agent's tools.",
                    Nearest.hint(name, known, "Add its Tool to spec.tools."));
        }
    }

    /// True if a Tool with unknown exports may have the name; a dotted name gives no answer.
    private boolean mayOffer(Target tool, Optional<ToolName> name) {
        return exports(tool).isEmpty()
                && name.map(full -> full.resource().equals(tool.name())).orElse(tool instanceof Target.Unseen);
    }

    private Set<String> fullNames(Target tool) {
        ToolNaming naming = tool instanceof Target.Local(var resource)
                ? ToolNaming.of(resource.document())
                : ToolNaming.SEPARATED;
        return exports(tool).orElse(Set.of()).stream().filter(name -> naming.problem(tool.name(), name).isEmpty())
                .map(name -> naming.fullName(tool.name(), name)).collect(Collectors.toCollection(TreeSet::new));
    }

    private Optional<Set<String>> exports(Target tool) {
        return switch (tool) {
            case Target.Local local -> Optional.of(ToolRules.exportNames(local.resource()));
            case Target.BuiltIn builtIn -> check.builtIns().exports(builtIn.name());
            case Target.Unseen unseen -> Optional.empty();
        };
    }
}
