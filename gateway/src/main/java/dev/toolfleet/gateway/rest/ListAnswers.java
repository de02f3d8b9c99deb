package dev.toolfleet.gateway.rest;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.gateway.calls.Answer;
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
        String text = ctx.queryParam(LIMIT);
        if (text == null)
            return USUAL;
        if (text.matches("[1-9]\\d{0,3}") && Integer.parseInt(text) <= MOST)
            return Integer.parseInt(text);
        throw Refusals.invalid("'" + LIMIT + "' must be a whole number from 1 to " + MOST + ".");
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
