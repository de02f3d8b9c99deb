package dev.toolfleet.bundle.check;

import java.util.Optional;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolSpec;

/// Checks `kind: ContextPolicy`: that its window has room, and that its summariser is a tool of the bundle.
final class ContextPolicyRules {
    private ContextPolicyRules() {}

    static void check(Place spec, Check check) {
        Findings findings = check.findings();
        Place window = spec.get("contextWindow");
        Place reserve = spec.get("reserveTokens");
        if (window.node().isInt() && reserve.node().isInt() && reserve.node().intValue() >= window.node().intValue())
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, reserve,
                    "reserveTokens " + reserve.node() + " leaves nothing of a contextWindow of " + window.node() + ".",
                    "The reserve is for the model's answer; 4096 is usual.");
        Place warning = spec.get("warningThreshold");
        Place critical = spec.get("criticalThreshold");
        if (warning.node().isNumber() && critical.node().isNumber()
                && warning.node().doubleValue() >= critical.node().doubleValue())
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, critical,
                    "criticalThreshold " + critical.node() + " must be more than warningThreshold " + warning.node()
                            + ".",
                    "0.7 and 0.85 are usual.");
        summarizer(spec, check);
        NamedAgents.check(spec, check);
    }

    private static void summarizer(Place spec, Check check) {
        Place summarizer = spec.get("summarizer");
        if (summarizer.text().isEmpty()) {
            if (spec.get("strategy").node().asString("").equals("summarize"))
                check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, spec.get("strategy"),
                        "strategy: summarize needs a summarizer.",
                        "Name a tool that takes {text, maxTokens, identifiers} and returns {summary}, or choose another"
                                + " strategy.");
            return;
        }
        Optional<ToolName> name = ToolName.parse(summarizer.text().get());
        if (name.isEmpty())
            check.findings().error(ProblemCode.E_CONFIG_INVALID_NAME, summarizer,
                    summarizer.shown() + " is no full name of a tool.", "Write resource__export.");
        else if (!exists(name.get(), check))
            check.findings().error(ProblemCode.E_CONFIG_REF_NOT_FOUND, summarizer,
                    "The bundle has no tool " + summarizer.shown() + ".", "Declare the Tool in this bundle.");
    }

    private static boolean exists(ToolName name, Check check) {
        Optional<Resource> own = check.bundle().find(Kinds.TOOL, name.resource());
        if (own.isEmpty())
            return check.builtIns().exports(name.resource()).filter(all -> all.contains(name.export())).isPresent();
        try {
            return ToolSpec.of(own.get().document()).exports().stream()
                    .anyMatch(export -> export.name().equals(name.export()));
        } catch (InvalidResourceException e) {
            // Its own rules report it.
            return true;
        }
    }
}
