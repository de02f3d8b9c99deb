package dev.toolfleet.bundle.check;

import java.util.Set;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Severity;

/// The rules of `goondan.ai/v1`, and of `toolfleet.dev/v1`, which has more kinds and rejects unknown fields.
record CurrentDialect(String apiVersion, Set<String> kinds, Severity unknownField) implements Dialect {
    private static final Set<String> AGENT = Set.of("modelConfig", "prompt", "tools", "extensions", "requiredTools");
    private static final Set<String> SWARM = Set.of("entryAgent", "agents", "instanceKey", "policy", "crossInstance");
    private static final Set<String> EXTENSION = Set.of("entry", "config");

    @Override
    public void check(Place document, Check check) {
        EnvelopeRules.check(document, check);
        Place spec = document.get("spec");
        if (spec.node().isObject()) {
            switch (document.resource().kind()) {
                case Kinds.TOOL -> ToolRules.current(spec, check);
                case Kinds.AGENT -> AgentRules.check(spec, AGENT, check);
                case Kinds.SWARM -> SwarmRules.check(spec, "entryAgent", SWARM, check);
                case Kinds.EXTENSION -> ExtensionRules.check(spec, EXTENSION, check);
                case Kinds.TOOL_GROUP -> ToolGroupRules.check(spec, check);
                case Kinds.TOOL_POLICY -> ToolPolicyRules.check(spec, check);
                case Kinds.RESULT_GUARD -> ResultGuardRules.check(spec, check);
                case Kinds.PACKAGE -> PackageRules.check(spec, check);
                case Kinds.OAUTH_APP -> {
                    OAuthAppRules.check(spec, check);
                    NotActedOn.check(document, spec, check);
                }
                default -> {
                    // The agent runtime's kinds, and the fleet's kinds that other checks cover.
                }
            }
            PairRule.check(spec, check.findings());
            ValueSources.check(spec, check);
            LiteralSecrets.check(spec, check.findings());
        }
    }
}
