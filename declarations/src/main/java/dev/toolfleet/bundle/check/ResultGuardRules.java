package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ResultGuardSpec;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolPolicySpec.Reach;

/// Checks `kind: ResultGuard`: its switches, its patterns, and that it selects something.
final class ResultGuardRules {
    /// The value of each flag that is less strict than the fleet's default.
    private static final Map<String, Boolean> LOOSER = new TreeMap<>(Map.of("sanitizeHtml", false, "allowHtml", true,
            "redactFinancialData", false, "redactSecrets", false, "stripControlCharacters", false));

    private ResultGuardRules() {}

    static void check(Place spec, Check check) {
        Set<String> known = new TreeSet<>(ResultGuardSpec.FIELDS);
        known.addAll(RuleSelector.FIELDS);
        check.knownFields(spec, known);
        Optional<Reach> reach = check.shapes().choice(spec.get("reach"), Reach.class);
        new SelectorRules(check).check(spec, reach.orElse(Reach.BUNDLE));
        length(spec.get("maxContentLength"), check);
        patterns(spec.get("redactPatterns"), check);
        LOOSER.forEach((flag, loose) -> {
            Place value = spec.get(flag);
            check.shapes().flag(value);
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
                    "Add one of " + String.join(", ", known) + ".");
    }

    private static void length(Place length, Check check) {
        if (length.present() && !(length.node().isIntegralNumber() && length.node().canConvertToInt()
                && length.node().asInt() >= ResultGuardSpec.MIN_CONTENT_LENGTH))
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, length,
                    length.path() + " must be a whole number of at least " + ResultGuardSpec.MIN_CONTENT_LENGTH
                            + ", and is " + length.shown() + ".",
                    "It counts characters of a whole result, and the marker for removed text must fit in.");
    }

    private static void patterns(Place patterns, Check check) {
        List<Place> items = check.shapes().list(patterns);
        if (items.size() > ResultGuardSpec.MAX_PATTERNS)
            check.shapes().wrong(patterns, "a list of at most " + ResultGuardSpec.MAX_PATTERNS);
        for (Place item : items) {
            check.shapes().requiredText(item, "Remove it, or write a pattern.")
                    .flatMap(ResultGuardSpec::patternProblem)
                    .ifPresent(problem -> check.findings().error(ProblemCode.E_CONFIG_RULE_PATTERN, item,
                            "The pattern " + item.shown() + " " + problem + ".",
                            "Patterns are RE2's: no look-around and no back-references. Quote them in '…'."));
        }
    }
}
