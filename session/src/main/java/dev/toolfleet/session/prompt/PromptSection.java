package dev.toolfleet.session.prompt;

import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/// Section of a system prompt.
///
/// @param id lower-case letters, digits and dashes
/// @param title the heading
/// @param priority the place among sections of one stability, highest first; the lowest is dropped first
/// @param stability the class in which the section stands
/// @param required true when the budget must not drop it
/// @param share the largest part of the budget that an optional section may have, more than 0 and at most 1
/// @param renderer returns the body; a blank one leaves the section out. Pure and thread-safe
public record PromptSection(String id, String title, int priority, Stability stability, boolean required, double share,
        Function<PromptContext, String> renderer) {
    /// Lifetime of a section's text, in rising volatility.
    public enum Stability {
        /// The same for all agents.
        STATIC,
        /// The same for all conversations of an agent with the same tools.
        AGENT,
        /// The same for a conversation.
        SESSION,
        /// Different in each turn: behind the cache boundary.
        TURN
    }

    /// Checks the names and numbers.
    ///
    /// @throws IllegalArgumentException naming the section and the value
    public PromptSection {
        if (!id.matches("[a-z0-9][a-z0-9-]*"))
            throw new IllegalArgumentException(
                    "id of a prompt section must be letters, digits and dashes, got '" + id + "'");
        if (title.isBlank() || title.lines().count() > 1)
            throw new IllegalArgumentException("title of section '" + id + "' must be one line, got '" + title + "'");
        if (!(share > 0 && share <= 1))
            throw new IllegalArgumentException(
                    "share of section '" + id + "' must be more than 0 and at most 1, got " + share);
        requireNonNull(stability, "stability");
        requireNonNull(renderer, "renderer");
    }

    /// Makes a section of fixed text from the agent's author.
    public static PromptSection ofText(String id, String title, int priority, Stability stability, boolean required,
            String text) {
        return new PromptSection(id, title, priority, stability, required, 1, context -> text);
    }
}
