package dev.toolfleet.worker.bridge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;

import dev.toolfleet.mcp.client.ToolList;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import org.jspecify.annotations.Nullable;

/// Decision about the publication of a server's tool. Pure.
///
/// @param tool the server's name of the tool, as far as it has one
/// @param name its name in the fleet
/// @param verdict the decision
/// @param reason why it is not published, for people; empty for one that is, or that the settings switch off
/// @param definition null for an entry of the list that is no usable tool
public record ToolChoice(String tool, String name, Verdict verdict, String reason,
        @Nullable ToolDefinition definition) {
    /// The largest number of tools of a server.
    static final int MOST_TOOLS = 500;

    /// Decision about a tool.
    public enum Verdict {
        /// It is published.
        PUBLISHED,
        /// The settings switch it off.
        OFF,
        /// Its definition is not the approved one.
        WITHHELD,
        /// It breaks a rule.
        LEFT_OUT
    }

    /// Decides about all entries of a list, in the list's order.
    ///
    /// @param first returns the digest of the definition that counts without a pin, from the tool's name and the digest
    ///        of this definition
    static List<ToolChoice> of(ToolList list, ServerSettings settings, BinaryOperator<String> first) {
        List<ToolChoice> choices = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (ToolDefinition tool : list.tools()) {
            ToolChoice choice = of(tool, settings, first, taken);
            if (choice.verdict == Verdict.PUBLISHED)
                taken.add(choice.name);
            choices.add(choice);
        }
        for (ToolList.RejectedTool rejected : list.rejected())
            choices.add(new ToolChoice(rejected.name(), ToolNames.of(settings.name(), rejected.name()),
                    Verdict.LEFT_OUT, rejected.reason(), null));
        return choices;
    }

    private static ToolChoice of(ToolDefinition tool, ServerSettings settings, BinaryOperator<String> first,
            Set<String> taken) {
        String name = ToolNames.of(settings.name(), tool.name());
        ServerSettings.ToolSettings own = settings.tools().get(tool.name());
        if (own != null && !own.enabled())
            return new ToolChoice(tool.name(), name, Verdict.OFF, "", tool);
        String change = settings.acceptsChanges() ? "" : change(tool, settings, first);
        if (!change.isEmpty())
            return new ToolChoice(tool.name(), name, Verdict.WITHHELD, change, tool);
        if (taken.contains(name))
            return new ToolChoice(tool.name(), name, Verdict.LEFT_OUT,
                    "another tool of the server has the name " + name, tool);
        if (taken.size() >= MOST_TOOLS)
            return new ToolChoice(tool.name(), name, Verdict.LEFT_OUT,
                    "the server has more than " + MOST_TOOLS + " tools", tool);
        return new ToolChoice(tool.name(), name, Verdict.PUBLISHED, "", tool);
    }

    private static String change(ToolDefinition tool, ServerSettings settings, BinaryOperator<String> first) {
        String digest = FirstDefinitions.digest(tool);
        String pinned = settings.pins().get(tool.name());
        if (pinned == null && !settings.pins().isEmpty())
            return "it is not among the approved tools; its definition is " + digest;
        String approved = pinned == null ? first.apply(tool.name(), digest) : pinned;
        return approved.equals(digest)
                ? ""
                : "its definition has changed and waits for approval: it was " + approved + " and is " + digest;
    }

    /// Returns the digest of a definition, as pins have it.
    public static String digest(ToolDefinition definition) {
        return FirstDefinitions.digest(definition);
    }
}
