package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.check.Refs.Target;

/// Checks `kind: Swarm`.
final class SwarmRules {
    private SwarmRules() {}

    static void check(Place spec, boolean v08, Check check) {
        List<Target> members = spec.get("agents").items().stream()
                .flatMap(item -> check.refs().follow(item, Kinds.AGENT).stream()).toList();
        Place entry = spec.get(v08 && !spec.get("entryAgent").present() ? "entrypoint" : "entryAgent");
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
