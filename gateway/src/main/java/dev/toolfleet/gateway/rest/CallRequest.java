package dev.toolfleet.gateway.rest;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.toolfleet.bundle.ToolAnnotations;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ToolCall;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Reads the call of a request: its body, with what path, headers and principal say. The fleet's own decoder checks it,
/// so a call that is accepted here is never malformed for a worker.
final class CallRequest {
    /// The longest time for a body.
    static final Duration BODY_WITHIN = Duration.ofSeconds(15);
    /// The room for what is added to a body, and for key, headers and framing of the record.
    private static final int OVERHEAD_BYTES = 32 * 1024;
    static final int MAX_BODY = Topic.CALL.maxRecordBytes() - OVERHEAD_BYTES;
    private static final int MAX_RECORD = Topic.CALL.maxRecordBytes() - OVERHEAD_BYTES / 2;
    private static final String USER = "userId";
    private static final String CHANNEL = "channelId";
    private static final Set<String> FIELDS = Set.of("id", "name", "args", "arguments", "input", "turnId", "stepId",
            "stepIndex", "traceId", USER, CHANNEL, "message", "deadline", "catalogDigest", "metadata", "callers",
            CallbackField.NAME);

    private CallRequest() {}

    /// A call, and the address for its final result.
    record Requested(ToolCall call, @Nullable Callback callback) {}

    /// Reads the call.
    ///
    /// @param hints decide whether a retry needs a name of the call
    /// @throws ProblemException naming the field
    static Requested read(Context ctx, Principal principal, String instanceKey, String agent, ExportHints hints,
            WebhookConfig webhooks) {
        String key = IdempotencyKey.of(ctx, principal);
        ObjectNode body = JsonBody.read(ctx, MAX_BODY, BODY_WITHIN, FIELDS);
        Callback callback = CallbackField.take(body, principal, webhooks);
        speaker(body, principal);
        boolean isNamed = key != null
                || (body.hasNonNull("id") && body.hasNonNull("turnId") && body.hasNonNull("stepId"));
        // A retry has the id of its first request, so that a cancellation by id finds the call that runs.
        if (!body.hasNonNull("id"))
            body.put("id", key == null ? UUID.randomUUID().toString() : idOf(key));
        body.put("instanceKey", instanceKey).put("agentName", agent);
        if (key != null)
            body.put("idempotencyKey", key);
        ToolCall call = decoded(instanceKey, body);
        return new Requested(isNamed ? call : repeatable(call, agent, hints), callback);
    }

    /// Returns the id of a call that has a key.
    static String idOf(String key) {
        return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /// Reads a call as a worker would.
    ///
    /// @throws ProblemException when it is malformed, or too large for a record
    static ToolCall decoded(String instanceKey, ObjectNode body) {
        byte[] record = Json.MAPPER.writeValueAsBytes(body);
        if (record.length > MAX_RECORD)
            throw Refusals.of(ProblemType.TOO_LARGE, "The call has " + record.length + " bytes as a record, at most "
                    + MAX_RECORD + " can be sent. Keep large data elsewhere and send its address.");
        return switch (CallDecoder.decode(instanceKey, record)) {
            case DecodedCall.Valid(ToolCall call) -> call;
            case DecodedCall.Malformed(String reason, var _) -> throw Refusals.invalid("The call is refused: " + reason
                    + ".");
        };
    }

    /// Returns a call without a name of its own, if running it twice does no harm.
    private static ToolCall repeatable(ToolCall call, String agent, ExportHints hints) {
        Optional<ToolAnnotations> says = hints.of(agent, call.name());
        if (says.isPresent() && says.get().repeatable())
            return call;
        throw Refusals.invalid("The header " + IdempotencyKey.HEADER + " is missing: '" + call.name() + "' "
                + (says.isPresent()
                        ? "is declared neither readOnly nor idempotent"
                        : "is no export that the declarations of agent '" + agent + "' name, so it counts as neither"
                                + " readOnly nor idempotent")
                + ", and a request that is sent again could run it twice. Send " + IdempotencyKey.HEADER
                + " with a name of your own for this call, such as a UUID, and the same one with each retry; or give"
                + " 'turnId', 'stepId' and 'id'.");
    }

    /// Puts the principal's user and channel into a body.
    ///
    /// @throws ProblemException when the body names another one, and the principal may not speak for others
    static void speaker(ObjectNode body, Principal principal) {
        own(body, USER, principal, principal.userId().orElse(null));
        own(body, CHANNEL, principal, principal.channelId().orElse(null));
    }

    private static void own(ObjectNode body, String field, Principal principal, @Nullable String own) {
        boolean named = body.hasNonNull(field);
        if (named && !principal.speaksForOthers() && !body.get(field).asString("").equals(own))
            throw Refusals.of(ProblemType.FORBIDDEN, "'" + field + "' comes from the principal '"
                    + principal.name() + "', and the body names another. Leave it out, or set "
                    + principal.setting("speaksForOthers") + ".");
        if (!named && own != null)
            body.put(field, own);
    }
}
