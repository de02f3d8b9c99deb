package dev.toolfleet.session.window;

import java.util.List;

import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import tools.jackson.databind.JsonNode;

/// Tokens of a model's next request, by origin.
///
/// @param systemPrompt of the agent's author
/// @param tools of the names, descriptions and schemas in the step's catalog
/// @param conversation of users and the model, with the calls' arguments
/// @param toolResults of the tools' answers
/// @param summary of the summary of older messages
public record Breakdown(long systemPrompt, long tools, long conversation, long toolResults, long summary) {
    /// First line of a summary of older messages.
    public static final String SUMMARY_MARKER = "[Previous conversation summary]";

    /// Counts a request.
    ///
    /// @param systemPrompt the prompt that is not part of the transcript; may be empty
    /// @param catalog the step's tools as the model receives them; a missing node when there are none
    /// @param entries the transcript that the model is shown
    public static Breakdown of(TokenCounter counter, String systemPrompt, JsonNode catalog, List<Entry> entries) {
        long system = systemPrompt.isEmpty() ? 0 : counter.text(systemPrompt) + TokenCounter.MESSAGE_OVERHEAD;
        long tools = catalog.isMissingNode() || catalog.isNull() ? 0 : counter.json(catalog);
        long conversation = 0;
        long results = 0;
        long summary = 0;
        for (Entry entry : entries) {
            long tokens = counter.entry(entry);
            if (isSummary(entry))
                summary += tokens;
            else if (entry.role() == Role.SYSTEM)
                system += tokens;
            else if (entry.role() == Role.TOOL)
                results += tokens;
            else
                conversation += tokens;
        }
        return new Breakdown(system, tools, conversation, results, summary);
    }

    /// True for an entry of a user or an author that begins with [#SUMMARY_MARKER].
    public static boolean isSummary(Entry entry) {
        return (entry.role() == Role.USER || entry.role() == Role.SYSTEM)
                && entry.content().asString("").startsWith(SUMMARY_MARKER);
    }

    /// Returns the tokens of the whole request.
    public long current() {
        return systemPrompt + tools + conversation + toolResults + summary;
    }
}
