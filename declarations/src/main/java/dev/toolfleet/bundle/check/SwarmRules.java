package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.check.Refs.Target;

/// Checks `kind: Swarm`.
final class SwarmRules {
    private SwarmRules() {}

    /// @param entryField the dialect's name of the entry agent
    /// @param fields of a Swarm in its dialect
    static void check(Place spec, String entryField, Set<String> fields, Check check) {
        check.knownFields(spec, fields);
        check.shapes().text(spec.get("instanceKey"));
        check.shapes().mapping(spec.get("policy"));
        check.shapes().flag(spec.get("crossInstance"));
        Place agents = spec.get("agents");
        if (!agents.present() || (agents.node().isArray() && agents.node().isEmpty())) {
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, agents,
                    "spec.agents must list at least one Agent.",
                    "For example agents: [{ref: Agent/coder}].");
        }
        List<Target> members = check.shapes().list(agents).stream()
                .flatMap(item -> check.refs().follow(item, Kinds.AGENT).stream()).toList();
        Place entry = spec.get(entryField);
        if (!entry.present()) {
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, entry, entry.path() + " is missing.",
                    "Name the Agent that gets events without an addressee.");
            return;
        }
        Optional<Target> target = check.refs().follow(entry, Kinds.AGENT);
        if (target.isPresent() && !members.isEmpty() && !members.contains(target.get())) {
            check.findings().error(ProblemCode.E_CONFIG_REF_NOT_FOUND, entry,
                    "The entry agent " + target.get().name() + " is not among spec.agents.", "Add it to spec.agents.");
        }
    }
}
