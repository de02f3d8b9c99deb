package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Shows, streams and cancels a call by its id.
final class KnownCallRoute implements Route {
    private static final int ACCEPTED = 202;
    private static final int MAX_BODY = 16 * 1024;
    private static final int MAX_REASON = 1_000;
    private static final String ID = "id";

    private final FleetWriter fleet;
    private final KnownCalls calls;
    private final EventStream stream;

    KnownCallRoute(FleetWriter fleet, KnownCalls calls, EventStream stream) {
        this.fleet = fleet;
        this.calls = calls;
        this.stream = stream;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/v1/calls/{id}", this::show);
        routes.get("/v1/calls/{id}/events", this::events);
        routes.post("/v1/calls/{id}/cancel", this::cancel);
    }

    private void show(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.TOOLS_CALL);
        Preference preference = Preference.of(ctx, Duration.ZERO);
        CallView view = calls.leading(calls.get(KnownCalls.id(ctx.pathParam(ID)), principal));
        if (!preference.patience().isZero())
            view = calls.awaited(view.id(), preference.patience());
        if (view.result() == null)
            ctx.header("Retry-After", "1");
        ctx.header(CallAnswers.CALL_ID, view.id().toString());
        Answers.validated(ctx, CallAnswers.view(view));
    }

    private void events(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.TOOLS_CALL);
        CallView view = calls.leading(calls.get(KnownCalls.id(ctx.pathParam(ID)), principal));
        OpenStreams.take(ctx);
        stream.write(ctx, view.id(), lastSeen(ctx));
    }

    private static @Nullable EventId lastSeen(Context ctx) {
        String last = ctx.header("Last-Event-ID");
        if (last == null || last.isEmpty())
            return null;
        try {
            return EventId.parse(last);
        } catch (IllegalArgumentException e) {
            throw Refusals.invalid("The header Last-Event-ID: " + e.getMessage() + ".");
        }
    }

    private void cancel(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.TOOLS_CALL);
        String reason = reason(ctx);
        CallView view = calls.leading(calls.get(KnownCalls.id(ctx.pathParam(ID)), principal));
        if (view.result() != null)
            throw Refusals.of(ProblemType.ENDED, "The call '" + view.id() + "' has ended with status '"
                    + view.result().status().name().toLowerCase(Locale.ROOT) + "'; there is nothing to cancel.");
        String by = principal.name().isEmpty() ? null : principal.name();
        Stages.sentOnly(fleet.cancel(KnownCalls.cancellation(view, by, reason)), "the cancellation");
        ctx.status(ACCEPTED).header("Location", CallAnswers.path(view.id()));
        Answers.json(ctx, CallAnswers.view(view));
    }

    private static @Nullable String reason(Context ctx) {
        if (!JsonBody.isPresent(ctx))
            return null;
        ObjectNode body = JsonBody.read(ctx, MAX_BODY, CallRequest.BODY_WITHIN, Set.of("reason"));
        if (!body.hasNonNull("reason"))
            return null;
        if (!body.get("reason").isString() || body.get("reason").stringValue().length() > MAX_REASON)
            throw Refusals.invalid("'reason' must be text of at most " + MAX_REASON + " characters.");
        return body.get("reason").stringValue();
    }
}
