package dev.toolfleet.bundle.check;

import java.util.Set;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;

/// Checks that no mapping has both `x` and `xRef`: the value itself and a reference to it. Skips free content (schemas,
/// configuration).
final class PairRule {
    private static final Set<String> FREE = Set.of("parameters", "config", "params", "options", "secrets");

    private PairRule() {}

    static void check(Place place, Findings findings) {
        place.items().forEach(item -> check(item, findings));
        if (!place.node().isObject()) {
            return;
        }
        for (String key : place.node().propertyNames()) {
            if (place.get(key).present() && place.get(key + "Ref").present()) {
                findings.addAtKey(Severity.ERROR, ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        place.get(key + "Ref"),
                        place.get(key).path() + " and " + place.get(key + "Ref").path() + " cannot be used together.",
                        "Keep the value or the reference to it.");
            }
            if (!FREE.contains(key)) {
                check(place.get(key), findings);
            }
        }
    }
}
