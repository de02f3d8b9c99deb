package dev.toolfleet.session.prompt;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/// Values from which sections are rendered.
///
/// @param agentName the agent
/// @param system the text of the agent's author, `Agent.spec.prompt.system`; trusted
/// @param capabilities of the agent, one line each; trusted
/// @param tools the tools of the step's published catalog, in its order
/// @param conversation the person and the channel
/// @param guidance texts that shape answers
/// @param finance true when the agent's bundle has tools of group `finance`
/// @param profile the person's investment profile
/// @param now the time of the turn; only the section `current-state` shows it
public record PromptContext(String agentName, @Nullable String system, List<String> capabilities, List<Tool> tools,
        Conversation conversation, Guidance guidance, boolean finance, @Nullable InvestmentProfile profile,
        Instant now) {
    /// Freezes the lists.
    public PromptContext {
        capabilities = List.copyOf(capabilities);
        tools = List.copyOf(tools);
    }

    /// Makes a context with an agent, its tools and the time.
    public static PromptContext of(String agentName, @Nullable String system, List<Tool> tools, Instant now) {
        return new PromptContext(agentName, system, List.of(), tools, Conversation.NONE, Guidance.NONE, false, null,
                now);
    }

    /// Returns the same context with another conversation and guidance.
    public PromptContext with(Conversation otherConversation, Guidance otherGuidance) {
        return new PromptContext(agentName, system, capabilities, tools, otherConversation, otherGuidance, finance,
                profile, now);
    }

    /// Returns the same context for an agent with financial tools.
    public PromptContext withFinance(@Nullable InvestmentProfile otherProfile) {
        return new PromptContext(agentName, system, capabilities, tools, conversation, guidance, true, otherProfile,
                now);
    }

    /// Returns the same context with other tools.
    public PromptContext offering(List<Tool> others) {
        return new PromptContext(agentName, system, capabilities, others, conversation, guidance, finance, profile,
                now);
    }

    /// Returns the same context at another time.
    public PromptContext at(Instant time) {
        return new PromptContext(agentName, system, capabilities, tools, conversation, guidance, finance, profile,
                time);
    }

    /// True when financial sections belong into the prompt.
    boolean hasFinance() {
        return finance || profile != null;
    }

    /// Tool that the model may call.
    ///
    /// @param name its full name
    /// @param description from its author, who is not trusted here
    public record Tool(String name, String description) {}

    /// Person and channel of a conversation; not trusted.
    ///
    /// @param userId the person
    /// @param channelId the channel
    /// @param chatType `direct`, `group` or `channel`; another one gets the rules of a channel
    public record Conversation(@Nullable String userId, @Nullable String channelId, @Nullable String chatType) {
        /// A conversation without a known person or channel.
        public static final Conversation NONE = new Conversation(null, null, null);
    }

    /// Texts that shape answers.
    ///
    /// @param formatting the form of answers; trusted
    /// @param language the language of answers, such as `ko`; not trusted
    /// @param constraints rules, one line each; trusted
    /// @param examples examples of answers; trusted
    /// @param state the state of the world; not trusted
    /// @param memory a summary of earlier conversations; not trusted
    /// @param custom the person's own instructions; not trusted
    public record Guidance(@Nullable String formatting, @Nullable String language, List<String> constraints,
            List<String> examples, @Nullable String state, @Nullable String memory, @Nullable String custom) {
        /// No guidance.
        public static final Guidance NONE = new Guidance(null, null, List.of(), List.of(), null, null, null);

        /// Freezes the lists.
        public Guidance {
            constraints = List.copyOf(constraints);
            examples = List.copyOf(examples);
        }
    }
}
