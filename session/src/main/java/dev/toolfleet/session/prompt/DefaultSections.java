package dev.toolfleet.session.prompt;

import java.util.List;
import java.util.function.Function;

import dev.toolfleet.session.prompt.InvestmentProfile.ComplianceLevel;
import dev.toolfleet.session.prompt.PromptContext.Conversation;
import dev.toolfleet.session.prompt.PromptSection.Stability;
import org.jspecify.annotations.Nullable;

/// Fifteen sections of seed 003, section 4.8. Their stability rises as their priority falls, so that the seed's order is
/// also the order for a provider's cache.
final class DefaultSections {
    static final String TOOLS = "tools";
    private static final int MAX_DESCRIPTION = 200;
    private static final int MAX_ID = 200;

    private DefaultSections() {}

    static List<PromptSection> all() {
        return List.of(
                required("identity", "Identity", 100, Stability.STATIC, DefaultSections::identity),
                required("capabilities", "Capabilities", 95, Stability.AGENT, c -> bullets(c.capabilities())),
                required(TOOLS, "Tools", 90, Stability.AGENT, DefaultSections::tools),
                required("finance-context", "Financial context", 85, Stability.AGENT, DefaultSections::finance),
                required("compliance", "Compliance", 80, Stability.AGENT, DefaultSections::compliance),
                required("risk-disclaimer", "Risk disclaimer", 75, Stability.AGENT, DefaultSections::disclaimer),
                optional("user-context", "User", 70, Stability.SESSION, 0.25, DefaultSections::user),
                optional("channel-context", "Channel", 65, Stability.SESSION, 0.25, DefaultSections::channel),
                optional("formatting", "Formatting", 60, Stability.SESSION, 0.25, c -> text(c.guidance().formatting())),
                optional("language", "Language", 55, Stability.SESSION, 0.25, DefaultSections::language),
                required("constraints", "Constraints", 50, Stability.SESSION, c -> bullets(c.guidance().constraints())),
                optional("examples", "Examples", 45, Stability.SESSION, 0.25,
                        c -> String.join("\n\n", c.guidance().examples())),
                optional("current-state", "Current state", 40, Stability.TURN, 0.25, DefaultSections::state),
                optional("memory", "Memory", 35, Stability.TURN, 0.25, c -> block("memory", c.guidance().memory())),
                optional("custom", "Custom instructions", 30, Stability.TURN, 0.25,
                        c -> block("custom", c.guidance().custom())));
    }

    /// The list of tools without descriptions, for a prompt that would be too large.
    static String toolNames(PromptContext context) {
        return String.join("\n", context.tools().stream().map(tool -> "- " + name(tool)).toList());
    }

    private static PromptSection required(String id, String title, int priority, Stability stability,
            Function<PromptContext, String> renderer) {
        return new PromptSection(id, title, priority, stability, true, 1, renderer);
    }

    private static PromptSection optional(String id, String title, int priority, Stability stability, double share,
            Function<PromptContext, String> renderer) {
        return new PromptSection(id, title, priority, stability, false, share, renderer);
    }

    private static String identity(PromptContext context) {
        String system = text(context.system());
        return system.isEmpty() ? "You are the agent '" + DataText.line(context.agentName(), MAX_ID) + "'." : system;
    }

    private static String tools(PromptContext context) {
        if (context.tools().isEmpty())
            return "No tools are available.";
        return String.join("\n", context.tools().stream()
                .map(tool -> "- " + name(tool) + ": " + DataText.line(tool.description(), MAX_DESCRIPTION)).toList());
    }

    private static String name(PromptContext.Tool tool) {
        return DataText.line(tool.name(), MAX_ID);
    }

    private static String finance(PromptContext context) {
        if (!context.hasFinance())
            return "";
        InvestmentProfile profile = context.profile();
        if (profile == null)
            return "The tools return financial data.";
        String markets = profile.preferredMarkets().isEmpty()
                ? ""
                : "\n- Preferred markets: "
                        + DataText.line(String.join(", ", profile.preferredMarkets()), MAX_DESCRIPTION);
        return "- Risk tolerance: " + DataText.line(profile.riskTolerance(), MAX_ID) + markets;
    }

    private static String compliance(PromptContext context) {
        if (!context.hasFinance())
            return "";
        String rules = """
                - State facts with their source and time; do not promise returns.
                - Do not give personal investment advice; describe options and their risks.
                - Refuse requests that serve insider trading or market manipulation.""";
        InvestmentProfile profile = context.profile();
        ComplianceLevel level = profile == null ? ComplianceLevel.RETAIL : profile.complianceLevel();
        return switch (level) {
            case RETAIL -> rules;
            case PROFESSIONAL -> rules + "\n- Name the assumptions and limits of each figure.";
            case INSTITUTIONAL -> rules + """

                    - Name the assumptions and limits of each figure.
                    - Keep the record of each recommendation complete for audits.""";
        };
    }

    private static String disclaimer(PromptContext context) {
        return context.hasFinance()
                ? "Say in each answer about an investment that its value may fall and that past returns do not repeat."
                : "";
    }

    private static String user(PromptContext context) {
        String user = context.conversation().userId();
        return user == null ? "" : "- User: " + DataText.line(user, MAX_ID);
    }

    private static String channel(PromptContext context) {
        Conversation conversation = context.conversation();
        if (conversation.channelId() == null && conversation.chatType() == null)
            return "";
        String name = conversation.channelId() == null
                ? ""
                : "- Channel: "
                        + DataText.line(conversation.channelId(), MAX_ID) + "\n";
        return name + "- " + switch (conversation.chatType() == null ? "" : conversation.chatType()) {
            case "direct" -> "Only the user reads the answers.";
            case "group" -> "Several people read the answers; address the one who asked.";
            default -> "Many people read the answers; keep them short and repeat nothing private.";
        };
    }

    private static String language(PromptContext context) {
        String language = context.guidance().language();
        return language == null ? "" : "Answer in the language: " + DataText.line(language, MAX_ID);
    }

    private static String state(PromptContext context) {
        String state = block("state", context.guidance().state());
        return "- Time: " + context.now() + (state.isEmpty() ? "" : "\n" + state);
    }

    private static String bullets(List<String> lines) {
        return String.join("\n", lines.stream().map(line -> "- " + line.strip()).toList());
    }

    private static String block(String source, @Nullable String value) {
        return value == null || value.isBlank() ? "" : DataText.block(source, value);
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value.strip();
    }
}
