package dev.toolfleet.gateway.rest;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.http.Answers;
import dev.toolfleet.wire.ToolCall;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers with lists that do not lie: the number of entries that exist and are not in the list stands in a header, and
/// the reasons as `notes`. Entries that the principal may not see do not count.
final class ListAnswers {
    static final String LEFT_OUT = "Toolfleet-Left-Out";
    static final String LIMIT = "limit";
    static final int MOST = 1_000;
    static final int USUAL = 100;
    private static final int QUOTED = 60;

    private ListAnswers() {}

    /// Sets the header, and adds the notes.
    static void send(Context ctx, ObjectNode json, long leftOut, List<String> notes) {
        ctx.header(LEFT_OUT, Long.toString(leftOut));
        ArrayNode texts = json.putArray("notes");
        notes.forEach(texts::add);
        Answers.json(ctx, json);
    }

    /// Returns the note about entries beyond the limit; none when there are none.
    static List<String> beyond(long leftOut, String what) {
        List<String> notes = new ArrayList<>();
        if (leftOut > 0)
            notes.add(leftOut + " " + what + " are not in this list; raise '" + LIMIT + "' (at most " + MOST
                    + "), or narrow it.");
        return notes;
    }

    /// Reads the parameter [#LIMIT].
    static int limit(Context ctx) {
        return limit(ctx, USUAL, MOST);
    }

    /// Reads the parameter [#LIMIT].
    ///
    /// @param usual the number when it is missing
    /// @param most the largest number, at most 9,999
    static int limit(Context ctx, int usual, int most) {
        String text = ctx.queryParam(LIMIT);
        if (text == null)
            return usual;
        if (text.matches("[1-9]\\d{0,3}") && Integer.parseInt(text) <= most)
            return Integer.parseInt(text);
        throw Refusals.invalid("'" + LIMIT + "' must be a whole number from 1 to " + most + ", not " + quoted(text)
                + ".");
    }

    /// Reads a parameter with an instant; null when it is missing.
    static @Nullable Instant instant(Context ctx, String parameter) {
        String text = ctx.queryParam(parameter);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw Refusals.invalid("'" + parameter + "' must be an instant, such as 2026-11-25T20:00:00Z, not "
                    + quoted(text) + ".");
        }
    }

    /// Reads a parameter with the position of an earlier answer; null when it is missing.
    static @Nullable TopicPosition position(Context ctx, String parameter) {
        String text = ctx.queryParam(parameter);
        try {
            return text == null ? null : TopicPosition.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refusals.invalid("'" + parameter + "': " + e.getMessage() + ".");
        }
    }

    /// Reads a parameter with a pattern for tools' names; null when it is missing.
    static @Nullable Glob glob(Context ctx, String parameter) {
        String text = ctx.queryParam(parameter);
        if (text == null)
            return null;
        Glob.problem(text).ifPresent(problem -> {
            throw Refusals.invalid("'" + parameter + "' " + problem + "; write a tool's name, or a pattern such as"
                    + " bash__*, not " + quoted(text) + ".");
        });
        return Glob.of(text);
    }

    /// Reads a parameter with one of some words; null when it is missing.
    static @Nullable String word(Context ctx, String parameter, List<String> words) {
        String text = ctx.queryParam(parameter);
        if (text != null && !words.contains(text))
            throw Refusals.invalid("'" + parameter + "' must be one of " + String.join(", ", words) + ", not "
                    + quoted(text) + ".");
        return text;
    }

    private static String quoted(@Nullable String text) {
        String value = String.valueOf(text);
        return "'" + (value.length() <= QUOTED ? value : value.substring(0, QUOTED) + "…") + "'";
    }

    /// Reads a parameter that is true or false; false when it is missing.
    static boolean flag(Context ctx, String name) {
        String text = ctx.queryParam(name);
        if (text != null && !text.equals("true") && !text.equals("false"))
            throw Refusals.invalid("'" + name + "' must be true or false.");
        return "true".equals(text);
    }

    /// Reads a parameter with a name or key, of the bounds of names and keys; null when it is missing.
    static @Nullable String name(Context ctx, String parameter) {
        String text = ctx.queryParam(parameter);
        if (text != null && (text.isEmpty() || text.length() > ToolCall.MAX_ID))
            throw Refusals.invalid("'" + parameter + "' has " + text.length() + " characters; 1 to "
                    + ToolCall.MAX_ID + " are accepted.");
        return text;
    }

    /// Returns a value that was read.
    static <T> T value(Answer<T> answer) {
        return switch (answer) {
            case Answer.Found<T>(T value) -> value;
            case Answer.Unknown<T>(String reason) -> throw Refusals.later(reason);
            case Answer.Unavailable<T>(String reason) -> throw Refusals.later(reason);
        };
    }
}
