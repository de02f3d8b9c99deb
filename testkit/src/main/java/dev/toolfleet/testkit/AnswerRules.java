package dev.toolfleet.testkit;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Rules for the form of answers and errors. Pure.
final class AnswerRules {
    private AnswerRules() {}

    /// Returns the problems of an answer.
    static List<String> answer(@Nullable ToolOutput output, int maxBytes) {
        return switch (output) {
            case null -> List.of();
            case ToolOutput.Value(Object value) -> json(value, maxBytes);
            case ToolOutput.Pending pending -> {
                List<String> found = new ArrayList<>(json(pending.output(), maxBytes));
                if (pending.handle().isBlank())
                    found.add("answers pending with a blank handle; use ctx.newHandle()");
                String target = pending.target();
                if (target != null && target.length() > ToolOutput.Pending.MAX_TARGET)
                    found.add("waits for a target of " + target.length() + " characters; "
                            + ToolOutput.Pending.MAX_TARGET + " are kept");
                yield found;
            }
        };
    }

    /// Returns the problems of an error.
    static List<String> error(Throwable thrown) {
        List<String> found = new ArrayList<>();
        String type = thrown.getClass().getName();
        if (!(thrown instanceof ToolException tool))
            found.add("threw " + type + " (" + thrown.getMessage()
                    + "), which names no code; throw a ToolException with code, message and suggestion");
        else if (tool.code().isBlank())
            found.add("threw a ToolException with a blank code");
        String message = thrown.getMessage();
        if (message == null || message.isBlank())
            found.add("threw " + type + " without a message");
        return found;
    }

    /// Returns the problems of a reconciliation of a call that never happened.
    static List<String> reconciliation(@Nullable Reconciliation answer, int maxBytes) {
        return switch (answer) {
            case null -> List.of("answered null; return unknown instead");
            case Reconciliation.Happened(ToolOutput output) -> answer(output, maxBytes);
            case Reconciliation.DidNotHappen didNot -> List.of();
            case Reconciliation.Unknown unknown -> List.of();
        };
    }

    private static List<String> json(@Nullable Object value, int maxBytes) {
        if (value == null)
            return List.of();
        try {
            JsonNode tree = Json.MAPPER.valueToTree(value);
            if (holdsNonNumber(tree))
                return List.of("answered NaN or Infinity, which JSON does not have");
            int size = Json.MAPPER.writeValueAsBytes(tree).length;
            return size <= maxBytes
                    ? List.of()
                    : List.of("answered " + size + " bytes of JSON; at most " + maxBytes + " are allowed here");
        } catch (JacksonException | IllegalArgumentException | StackOverflowError e) {
            return List.of("answered a " + value.getClass().getName() + " that is not JSON: " + e.getMessage());
        }
    }

    private static boolean holdsNonNumber(JsonNode node) {
        if (node.isFloat() || node.isDouble())
            return !Double.isFinite(node.doubleValue());
        for (JsonNode child : node)
            if (holdsNonNumber(child))
                return true;
        return false;
    }
}
