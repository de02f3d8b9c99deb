package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Severity;

/// The rules of `agents.example.io/v1alpha1`, which is v0.8: dotted names, `runtime: node`, `auth` and OAuthApps. Skips
/// the parts of its runtime (hooks, changesets, connectors).
final class V08Dialect implements Dialect {
    private static final Set<String> AGENT = Set.of("modelConfig", "prompt", "prompts", "tools", "extensions", "hooks",
            "changesets", "requiredTools");
    private static final Set<String> SWARM = Set.of("entrypoint", "entryAgent", "agents", "instanceKey", "policy",
            "crossInstance");
    private static final Set<String> EXTENSION = Set.of("runtime", "entry", "config");

    @Override
    public String apiVersion() {
        return Kinds.V08;
    }

    @Override
    public Set<String> kinds() {
        return Stream.concat(Kinds.GOONDAN.stream(), Kinds.V08_ONLY.stream()).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Severity unknownField() {
        return Severity.WARNING;
    }

    @Override
    public void check(Place document, Check check) {
        EnvelopeRules.check(document, check);
        Place spec = document.get("spec");
        if (!spec.node().isObject())
            return;
        switch (document.resource().kind()) {
            case Kinds.TOOL -> ToolRules.v08(spec, check);
            case Kinds.AGENT -> AgentRules.check(spec, AGENT, check);
            case Kinds.SWARM -> SwarmRules.check(spec, spec.get("entryAgent").present() ? "entryAgent" : "entrypoint",
                    SWARM, check);
            case Kinds.EXTENSION -> ExtensionRules.check(spec, EXTENSION, check);
            case Kinds.PACKAGE -> PackageRules.check(spec, check);
            case Kinds.OAUTH_APP -> OAuthAppRules.check(spec, check);
            default -> {
                // The agent runtime's kinds.
            }
        }
        NotActedOn.check(document, spec, check);
        PairRule.check(spec, check.findings());
        ValueSources.check(spec, check);
        LiteralSecrets.check(spec, check.findings());
    }
}
