package dev.toolfleet.sessions.topology;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.ContextPolicySpec;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.window.ModelWindow;
import dev.toolfleet.session.window.WindowConfig;
import dev.toolfleet.session.window.WindowGuard;

/// Windows and policies of agents: a ContextPolicy that applies to the agent, above the service's settings.
///
/// A policy that names the agent has precedence over one for all agents, then one of the agent's bundle over one of
/// another bundle, then the name that sorts first.
///
/// **Threads.** Thread-safe.
public final class AgentContexts {
    private final ResourceTable table;
    private final WindowConfig config;
    private final ModelWindow window;
    private volatile Known known = new Known(FleetResources.EMPTY, new ConcurrentHashMap<>());

    private record Known(FleetResources resources, Map<String, AgentContext> contexts) {}

    /// Context of an agent.
    ///
    /// @param guard evaluates the use of the window
    /// @param window the model's window
    /// @param promptTokens the tokens of the agent's own text, which stands before the messages
    /// @param policy its ContextPolicy, if one applies
    /// @param bundle the bundle of that policy; empty without one
    public record AgentContext(WindowGuard guard, ModelWindow window, long promptTokens,
            Optional<ContextPolicySpec> policy, String bundle) {}

    /// @param table of `tool.resource`; a global store fills it
    /// @param config the service's limits
    /// @param window the service's window
    public AgentContexts(ResourceTable table, WindowConfig config, ModelWindow window) {
        this.table = table;
        this.config = config;
        this.window = window;
    }

    /// Returns the context of an agent under the present bundles.
    public AgentContext of(String agent) {
        FleetResources now = table.view();
        Known last = known;
        if (!last.resources().bundles().equals(now.bundles())) {
            last = new Known(now, new ConcurrentHashMap<>());
            known = last;
        }
        FleetResources resources = last.resources();
        return last.contexts().computeIfAbsent(agent, name -> make(resources, name));
    }

    private AgentContext make(FleetResources resources, String agent) {
        Optional<DeclaredAgent> declared = resources.agent(agent);
        long prompt = declared.map(DeclaredAgent::spec).map(AgentSpec::system)
                .map(text -> TokenCounter.STANDARD.text(text) + TokenCounter.MESSAGE_OVERHEAD).orElse(0L);
        String own = declared.map(DeclaredAgent::bundle).orElse("");
        Applying found = null;
        for (BundleResources bundle : resources.bundles().values()) {
            for (ContextPolicySpec policy : bundle.contextPolicies().values()) {
                Applying next = new Applying(bundle.name(), policy, bundle.name().equals(own));
                if (policy.appliesTo(bundle.name(), own, agent) && (found == null || next.isBefore(found)))
                    found = next;
            }
        }
        return found == null
                ? new AgentContext(new WindowGuard(config), window, prompt, Optional.empty(), "")
                : context(found, prompt);
    }

    /// A policy that leaves no room with the service's settings keeps these: validation sees the bundle alone.
    private AgentContext context(Applying found, long prompt) {
        ContextPolicySpec policy = found.policy();
        ModelWindow own = policy.contextWindow().map(ModelWindow::of).orElse(window);
        WindowConfig limits;
        try {
            limits = new WindowConfig(policy.warningThreshold().orElse(config.warningThreshold()),
                    policy.criticalThreshold().orElse(config.criticalThreshold()),
                    policy.reserveTokens().orElse(config.reserveTokens()));
        } catch (IllegalArgumentException e) {
            limits = config;
        }
        boolean fits = limits.reserveTokens() < own.tokens();
        return new AgentContext(new WindowGuard(fits ? limits : config), fits ? own : window, prompt,
                Optional.of(policy), found.bundle());
    }

    private record Applying(String bundle, ContextPolicySpec policy, boolean own) {
        boolean isBefore(Applying other) {
            boolean named = !policy.agents().isEmpty();
            if (named == other.policy().agents().isEmpty())
                return named;
            return own && !other.own();
        }
    }
}
