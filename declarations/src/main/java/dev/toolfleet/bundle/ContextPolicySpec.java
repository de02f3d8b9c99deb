package dev.toolfleet.bundle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.ToolPolicySpec.Reach;
import tools.jackson.databind.node.ObjectNode;

/// A ContextPolicy: the window of agents' models, and the compaction of their sessions.
///
/// @param reach the agents to which it applies: those of its bundle, or all
/// @param agents the names of these agents; empty for all within reach
/// @param contextWindow the tokens of the model's window; absent for the service's setting
/// @param reserveTokens the tokens that stay free for the model's answer; absent for the service's setting
/// @param warningThreshold the share of the window from which its use is a warning; absent for the service's setting
/// @param criticalThreshold the share from which the session is compacted; absent for the service's setting
/// @param automatic true when a critical session is compacted without a request
/// @param strategy the steps of a compaction
/// @param targetRatio the share of the usable window that a compaction leaves in use
/// @param preserveRecentMessages the newest messages, which stay as they are
/// @param preserveSystemPrompt true when messages of the agent's author stay as they are
/// @param dropOnFailure true when the oldest messages are dropped after the summariser has failed
/// @param summarizer the full name of the tool that makes summaries; absent for none
/// @param summarizerWindow the tokens of its model's window
/// @param timeout the longest wait for one of its answers
public record ContextPolicySpec(String name, Reach reach, List<String> agents, Optional<Integer> contextWindow,
        Optional<Integer> reserveTokens, Optional<Double> warningThreshold, Optional<Double> criticalThreshold,
        boolean automatic, Strategy strategy, double targetRatio, int preserveRecentMessages,
        boolean preserveSystemPrompt, boolean dropOnFailure, Optional<String> summarizer, int summarizerWindow,
        Duration timeout) {
    /// The share of the window that a compaction leaves in use, unless a policy declares another.
    public static final double TARGET_RATIO = 0.6;
    /// The newest messages that stay, unless a policy declares another number.
    public static final int PRESERVE_RECENT = 8;
    /// The window of a summariser's model, unless a policy declares another.
    public static final int SUMMARIZER_WINDOW = 128_000;
    /// The longest wait for a summary, unless a policy declares another.
    public static final Duration TIMEOUT = Duration.ofMinutes(2);
    /// The beginning of the name of the agent that calls summarisers; the name of its bundle follows.
    public static final String AGENT = "@session:";

    /// Steps of a compaction, as the seed names them.
    public enum Strategy {
        /// Summarises the oldest messages.
        SUMMARIZE,
        /// Drops the oldest messages.
        TRUNCATE_OLDEST,
        /// Shortens long results of tools.
        TRUNCATE_TOOLS,
        /// Shortens results, then summarises.
        HYBRID
    }

    /// Reaction to a failure of the summariser: keep the messages, or drop the oldest.
    private enum OnFailure {
        KEEP, DROP
    }

    /// Reads a resource of kind `ContextPolicy`.
    ///
    /// @throws InvalidResourceException when it is no ContextPolicy, or a field has the wrong shape
    public static ContextPolicySpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.CONTEXT_POLICY);
        return new ContextPolicySpec(ResourceJson.name(resource),
                spec.get("reach").choice(Reach.class).orElse(Reach.BUNDLE),
                spec.get("agents").list(ResourceJson::text), positive(spec.get("contextWindow")),
                optional(spec.get("reserveTokens")), number(spec.get("warningThreshold")),
                number(spec.get("criticalThreshold")), spec.get("automatic").optionalFlag().orElse(true),
                spec.get("strategy").choice(Strategy.class).orElse(Strategy.HYBRID),
                spec.get("targetRatio").number(TARGET_RATIO), spec.get("preserveRecentMessages").whole(PRESERVE_RECENT),
                spec.get("preserveSystemPrompt").optionalFlag().orElse(true),
                spec.get("onFailure").choice(OnFailure.class).orElse(OnFailure.KEEP) == OnFailure.DROP,
                spec.get("summarizer").optionalText(), spec.get("summarizerWindow").positive(SUMMARIZER_WINDOW),
                spec.get("timeout").duration().orElse(TIMEOUT));
    }

    /// True if it applies to the agent of a bundle.
    public boolean appliesTo(String bundle, String ownBundle, String agent) {
        return (reach == Reach.FLEET || bundle.equals(ownBundle)) && (agents.isEmpty() || agents.contains(agent));
    }

    /// Returns the agent that calls the summarisers of a bundle's policies; empty when no policy has one.
    public static Optional<AgentSpec> agent(String bundle, Iterable<ContextPolicySpec> policies) {
        List<Ref> tools = new ArrayList<>();
        for (ContextPolicySpec policy : policies) {
            policy.summarizer().flatMap(ToolName::parse).map(name -> new Ref(Kinds.TOOL, name.resource(), null))
                    .filter(ref -> !tools.contains(ref)).ifPresent(tools::add);
        }
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(new AgentSpec(AGENT + bundle, List.copyOf(tools), List.of(), List.of(),
                        ChangesetTerms.NONE, null));
    }

    private static Optional<Integer> positive(ResourceJson json) {
        return json.present() ? Optional.of(json.positive(1)) : Optional.empty();
    }

    private static Optional<Integer> optional(ResourceJson json) {
        return json.present() ? Optional.of(json.whole(0)) : Optional.empty();
    }

    private static Optional<Double> number(ResourceJson json) {
        return json.present() ? Optional.of(json.number(0)) : Optional.empty();
    }
}
