package dev.toolfleet.bundle.check;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;

/// Parts of a bundle of v0.8 that the fleet ignores. Otherwise: without a notice such a bundle seems to have full
/// effect.
final class NotActedOn {
    private static final String RUNTIME = "It belongs to the agent runtime, which may act on it.";

    private NotActedOn() {}

    static void check(Place document, Place spec, Check check) {
        switch (document.resource().kind()) {
            case Kinds.AGENT -> notice(spec.get("hooks"), "is not acted on by the fleet", RUNTIME, check);
            case Kinds.SWARM ->
                notice(spec.get("policy").get("liveConfig"), "is not acted on by the fleet", RUNTIME, check);
            default -> {
                // The fleet uses all that it reads of the other kinds; the rest belongs to the runtime.
            }
        }
    }

    private static void notice(Place place, String what, String hint, Check check) {
        if (place.present())
            check.findings().notice(ProblemCode.E_CONFIG_NOT_ACTED_ON, place, place.path() + " " + what + ".", hint);
    }
}
