package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.Optional;

import dev.toolfleet.client.SentCall;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Calls a tool, and waits for its first result.
///
/// **Contract.** A repeated request with the same key, or the same turn, step and id, is the same call: it waits for that
/// call's result. The read model knows calls for a day, the worker for its dedupe window; both are asked, in this order.
/// Otherwise: a retry after the window runs the call again.
///
/// **Threads.** Each request blocks a virtual thread of its own.
final class CallRoute implements Route {
    private final FleetWriter fleet;
    private final ExportHints hints;
    private final KnownCalls calls;
    private final EventStream stream;
    private final WebhookConfig webhooks;

    CallRoute(FleetWriter fleet, ExportHints hints, KnownCalls calls, EventStream stream, WebhookConfig webhooks) {
        this.webhooks = webhooks;
        this.fleet = fleet;
        this.hints = hints;
        this.calls = calls;
        this.stream = stream;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.post("/v1/instances/{instanceKey}/agents/{agent}/calls", this::call);
    }

    private void call(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.TOOLS_CALL);
        String instanceKey = ctx.pathParam("instanceKey");
        String agent = ctx.pathParam("agent");
        principal.checkUse(instanceKey, agent);
        Preference preference = Preference.of(ctx, Preference.DEFAULT_WAIT);
        CallRequest.Requested requested = CallRequest.read(ctx, principal, instanceKey, agent, hints, webhooks);
        if (OpenStreams.isWanted(ctx))
            OpenStreams.take(ctx);
        Optional<CallId> earlier = calls.first(requested.call());
        if (earlier.isPresent())
            repeat(ctx, requested.call(), earlier.get(), preference);
        else
            send(ctx, requested, preference);
    }

    /// Answers with the result of a call that an earlier request made.
    private void repeat(Context ctx, ToolCall call, CallId id, Preference preference) {
        ToolCall made = calls.awaited(id, Duration.ZERO).call();
        if (!Fingerprint.of(made.name(), made.args()).equals(Fingerprint.of(call.name(), call.args())))
            throw CallAnswers.conflict(call);
        if (OpenStreams.isWanted(ctx)) {
            ctx.header(CallAnswers.REPLAYED, "true");
            stream.write(ctx, id, null);
            return;
        }
        CallView view = calls.awaited(id, preference.patience());
        CallAnswers.answer(ctx, id, view.result() != null ? view.result() : view.pending(), true);
    }

    private void send(Context ctx, CallRequest.Requested requested, Preference preference) {
        ToolCall call = requested.call();
        boolean streamed = OpenStreams.isWanted(ctx);
        FleetWriter.SentRequest request = fleet.call(call, streamed ? Duration.ZERO : preference.patience(),
                ctx.header("traceparent"), requested.callback());
        SentCall at = Stages.sent(request.sent(), "the call");
        CallId id = new CallId(at.partition(), at.offset());
        if (streamed) {
            stream.write(ctx, id, null);
            return;
        }
        ToolResult result = preference.patience().isZero() ? null : first(request, preference.patience());
        if (result != null && CallAnswers.isConflict(result))
            throw CallAnswers.conflict(call);
        boolean replayed = result != null && result.replayed();
        CallAnswers.answer(ctx, replayed ? calls.first(call).orElse(id) : id, result, replayed);
    }

    /// The call is durable from here on: no failure of this gateway takes that back.
    private static @Nullable ToolResult first(FleetWriter.SentRequest request, Duration wait) {
        try {
            return Stages.within(request.first(), wait);
        } catch (ToolFleetClientException e) {
            return null;
        }
    }
}
