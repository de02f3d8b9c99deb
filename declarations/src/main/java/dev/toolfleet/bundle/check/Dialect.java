package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Severity;

/// The rules of one `apiVersion`. `goondan.ai/v1` and `toolfleet.dev/v1` differ in their kinds, and in the severity of
/// an unknown field. `agents.example.io/v1alpha1` is v0.8: dotted names, `runtime: node`, `auth` and OAuthApps; the
/// parts of its runtime (hooks, changesets, connectors) are skipped.
///
/// @param kinds the kinds that it knows
/// @param unknownField the severity of an unknown field
record Dialect(String apiVersion, Set<String> kinds, Severity unknownField) {
    /// Every version that is read.
    static final List<Dialect> ALL = List.of(of(Kinds.GOONDAN_V1, Set.of(), Severity.WARNING),
            of(Kinds.TOOLFLEET_V1, Kinds.FLEET, Severity.ERROR), of(Kinds.V08, Kinds.V08_ONLY, Severity.WARNING));

    private static Dialect of(String apiVersion, Set<String> ownKinds, Severity unknownField) {
        return new Dialect(apiVersion,
                Stream.concat(Kinds.GOONDAN.stream(), ownKinds.stream()).collect(Collectors.toUnmodifiableSet()),
                unknownField);
    }

    /// Checks one resource of one of its kinds.
    void check(Place document, Check check) {
        Shapes.of(apiVersion).check(document, unknownField, check.findings());
        EnvelopeRules.check(document, check.findings());
        Place spec = document.get("spec");
        if (!spec.node().isObject())
            return;
        boolean v08 = apiVersion.equals(Kinds.V08);
        String kind = document.resource().kind();
        switch (kind) {
            case Kinds.TOOL -> ToolRules.check(spec, v08, check);
            case Kinds.AGENT -> AgentRules.check(spec, check);
            case Kinds.SWARM -> SwarmRules.check(spec, v08, check);
            case Kinds.EXTENSION -> EntryRules.check(spec.get("entry"), check);
            case Kinds.TOOL_POLICY -> ToolPolicyRules.check(spec, check);
            case Kinds.EFFECT_BUDGET -> EffectBudgetRules.check(spec, check);
            case Kinds.RESULT_GUARD -> ResultGuardRules.check(spec, check);
            case Kinds.CONTEXT_POLICY -> ContextPolicyRules.check(spec, check);
            case Kinds.PROMPT_SECTION -> PromptSectionRules.check(document, spec, check);
            case Kinds.OAUTH_APP -> OAuthAppRules.check(spec, check);
            case Kinds.SKILL -> SkillRules.check(document, spec, check);
            default -> {
                // The schemas are all of their rules, or they belong to the agent runtime.
            }
        }
        if (v08)
            NotActedOn.check(document, spec, check);
        PairRule.check(spec, check.findings());
        ValueSources.check(spec, check);
        LiteralSecrets.check(spec, check.findings());
    }
}
