package dev.toolfleet.bundle.check;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;

/// Checks `agents` of a kind that applies to agents: the bundle has them, unless the resource reaches the fleet.
final class NamedAgents {
    private NamedAgents() {}

    static void check(Place spec, Check check) {
        if (spec.get("reach").node().asString("").equals("fleet"))
            return;
        for (Place agent : spec.get("agents").items()) {
            agent.text().filter(name -> check.bundle().find(Kinds.AGENT, name).isEmpty())
                    .ifPresent(name -> check.findings().error(ProblemCode.E_CONFIG_REF_NOT_FOUND, agent,
                            "The bundle has no Agent '" + name + "'.",
                            Nearest.hint(name, check.bundle().ofKind(Kinds.AGENT).stream().map(Resource::name).toList(),
                                    "Add it, or write reach: fleet.")));
        }
    }
}
