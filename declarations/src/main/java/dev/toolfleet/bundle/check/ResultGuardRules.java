package dev.toolfleet.bundle.check;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ResultGuardSpec;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;

/// Checks `kind: ResultGuard`: its switches, its patterns, and that it selects something.
final class ResultGuardRules {
    /// The value of each flag that is less strict than the fleet's default.
    private static final Map<String, Boolean> LOOSER = new TreeMap<>(Map.of("sanitizeHtml", false, "allowHtml", true,
            "redactFinancialData", false, "redactSecrets", false, "stripControlCharacters", false));

    private ResultGuardRules() {}

    static void check(Place spec, Check check) {
        Optional<Reach> reach = spec.get("reach").choice(Reach.class);
        new SelectorRules(check).check(spec, reach.orElse(Reach.BUNDLE));
        patterns(spec.get("redactPatterns"), check.findings());
        LOOSER.forEach((flag, loose) -> {
            Place value = spec.get(flag);
            if (reach.equals(Optional.of(Reach.FLEET)) && value.node().isBoolean()
                    && value.node().booleanValue() == loose)
                check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, value,
                        "A guard that reaches the fleet only restricts: this would let other teams' results pass.",
                        "Move it to a ResultGuard of this bundle without reach: fleet.");
        });
        if (spec.get("allowHtml").node().asBoolean(false) && spec.get("sanitizeHtml").node().isBoolean()
                && !spec.get("sanitizeHtml").node().booleanValue())
            check.findings().warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec.get("allowHtml"),
                    "allowHtml has no effect, since sanitizeHtml: false removes no markup.",
                    "Remove one of them.");
        if (ResultGuardSpec.FIELDS.stream().filter(field -> !field.equals("reach"))
                .noneMatch(field -> spec.get(field).present()))
            check.findings().hint(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec, "The guard changes nothing.",
                    "Add one of " + String.join(", ", new TreeSet<>(ResultGuardSpec.FIELDS)) + ".");
    }

    private static void patterns(Place patterns, Findings findings) {
        for (Place item : patterns.items()) {
            item.text().flatMap(ResultGuardSpec::patternProblem)
                    .ifPresent(problem -> findings.error(ProblemCode.E_CONFIG_RULE_PATTERN, item,
                            "The pattern " + item.shown() + " " + problem + ".",
                            "Patterns are RE2's: no look-around and no back-references. Quote them in '…'."));
        }
    }
}
