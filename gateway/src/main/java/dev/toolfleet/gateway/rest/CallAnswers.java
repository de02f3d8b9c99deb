package dev.toolfleet.gateway.rest;

import java.util.List;
import java.util.Locale;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers about calls, as JSON.
final class CallAnswers {
    static final String CALL_ID = "Toolfleet-Call-Id";
    static final String REPLAYED = "Idempotency-Replayed";
    private static final int ACCEPTED = 202;
    private static final String RETRY_AFTER_SECONDS = "1";

    private CallAnswers() {}

    /// The path of a call.
    static String path(CallId id) {
        return "/v1/calls/" + id;
    }

    /// Answers with the final result (200), or with the pending one or none (202).
    ///
    /// @param replayed true if an earlier request made the call
    static void answer(Context ctx, CallId id, @Nullable ToolResult result, boolean replayed) {
        ctx.header(CALL_ID, id.toString()).header("Location", path(id));
        if (replayed)
            ctx.header(REPLAYED, "true");
        if (result != null && result.isFinal()) {
            Answers.json(ctx, Json.MAPPER.valueToTree(result));
            return;
        }
        ctx.status(ACCEPTED).header("Retry-After", RETRY_AFTER_SECONDS);
        Answers.json(ctx, result != null
                ? Json.MAPPER.valueToTree(result)
                : Json.MAPPER.createObjectNode().put("id", id.toString()).put("stage", "accepted"));
    }

    /// True for the refusal of a call whose identity is another's.
    static boolean isConflict(ToolResult result) {
        return result.error() != null && result.error().code().equals(ErrorCode.E_CALL_IDENTITY_CONFLICT.name());
    }

    /// The refusal of a call whose identity is another's.
    static ProblemException conflict(ToolCall call) {
        return Refusals.of(ProblemType.IDENTITY_CONFLICT, ErrorCode.E_CALL_IDENTITY_CONFLICT + ": another call with "
                + (call.idempotencyKey() != null
                        ? "this " + IdempotencyKey.HEADER
                        : "the id '" + call.id() + "' in step '" + call.stepId() + "' of turn '" + call.turnId() + "'")
                + " was made in this instance by this agent, with another tool or other arguments. This one was not"
                + " started; give it a name of its own.");
    }

    /// The state of a call.
    static ObjectNode view(CallView view) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("id", view.id().toString())
                .put("stage", view.stage().name().toLowerCase(Locale.ROOT))
                .put("acceptedAt", view.acceptedAt().toString()).put("event", view.at().toString());
        json.set("call", call(view.call()));
        set(json, "progress", view.progress() == null ? null : view.progress().progress());
        set(json, "pending", view.pending());
        set(json, "waitsFor", view.waitsFor());
        if (!view.decisions().isEmpty())
            set(json, "decisions", view.decisions());
        set(json, "result", view.result());
        return json;
    }

    /// A page of a list of calls.
    static ObjectNode page(CallPage page) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        ArrayNode calls = json.putArray("calls");
        page.calls().forEach(call -> calls.add(summary(call)));
        if (page.next() != null)
            json.put("next", page.next().toString());
        set(json, "searchedTo", page.searchedTo());
        set(json, "missing", page.missing());
        return json;
    }

    private static ObjectNode summary(CallSummary call) {
        ObjectNode json = Json.MAPPER.valueToTree(call);
        return json.put("id", call.id().toString()).put("stage", call.stage().text());
    }

    /// The call without what its caller keeps: the key on the wire has the principal's name before it.
    static ObjectNode call(ToolCall call) {
        ObjectNode json = Json.MAPPER.valueToTree(call);
        json.remove(List.of("idempotencyKey", "message", "metadata", "callers"));
        return json;
    }

    private static void set(ObjectNode json, String field, @Nullable Object value) {
        if (value != null)
            json.set(field, Json.MAPPER.valueToTree(value));
    }
}
