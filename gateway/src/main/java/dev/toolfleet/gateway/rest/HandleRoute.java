package dev.toolfleet.gateway.rest;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.DecodedCompletion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.WireCodec;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ObjectNode;

/// Takes reports of work behind handles, and decisions of people. The handle is looked up first, as the commands do, so
/// that a wrong one is an answer and not a dead letter.
final class HandleRoute implements Route {
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final Set<String> COMPLETION = Set.of("kind", "output", "error", "progress", "token");
    private static final String HANDLE = "handle";
    private static final String BY = "by";
    private static final String REASON = "reason";
    private static final String VERDICT = "decision";
    private static final String DESPITE = "despiteHidden";
    private static final Set<String> DECISION = Set.of(VERDICT, BY, REASON, DESPITE);
    private static final List<String> KINDS = Stream.of(Completion.Kind.values())
            .filter(kind -> kind != Completion.Kind.UNKNOWN).map(Completion.Kind::text).toList();
    private static final int OVERHEAD_BYTES = 16 * 1024;
    private static final int MAX_COMPLETION = Topic.COMPLETION.maxRecordBytes() - OVERHEAD_BYTES;
    private static final int MAX_DECISION = 16 * 1024;
    private static final int ACCEPTED = 202;

    private final FleetWriter fleet;
    private final OpenHandles handles;

    HandleRoute(FleetWriter fleet) {
        this.fleet = fleet;
        this.handles = new OpenHandles(fleet);
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.post("/v1/handles/{handle}/completions", this::complete);
        routes.post("/v1/handles/{handle}/decision", this::decide);
    }

    private void complete(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.HANDLES_COMPLETE);
        Completion completion = completion(ctx,
                JsonBody.read(ctx, MAX_COMPLETION, CallRequest.BODY_WITHIN, COMPLETION));
        PendingCall pending = handles.get(completion.handle(), principal);
        if (pending.kind() == PendingCall.Kind.APPROVAL)
            throw Refusals.of(ProblemType.ENDED, "The handle '" + completion.handle()
                    + "' waits for the decision of a person, not for work. POST …/decision decides.");
        refuseAuthorization(pending);
        accept(ctx, completion.handle(), () -> Stages.sentOnly(fleet.complete(completion), "the completion"));
    }

    private static void refuseAuthorization(PendingCall pending) {
        if (pending.kind() == PendingCall.Kind.AUTHORIZATION)
            throw Refusals.of(ProblemType.ENDED, "The handle '" + pending.handle() + "' waits until a person has"
                    + " authorized the tool, by the authorizationUrl of the call's output.");
    }

    private void decide(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.APPROVALS_DECIDE);
        ObjectNode body = JsonBody.read(ctx, MAX_DECISION, CallRequest.BODY_WITHIN, DECISION);
        checkText(body, BY);
        checkText(body, REASON);
        if (body.hasNonNull(BY) && !principal.speaksForOthers())
            throw Refusals.of(ProblemType.FORBIDDEN, "'by' comes from the principal '" + principal.name()
                    + "'. Leave it out, or set " + principal.setting("speaksForOthers") + ".");
        if (!body.hasNonNull(BY) && !principal.name().isEmpty())
            body.put(BY, principal.userId().orElse(principal.name()));
        Decision decision = decision(ctx, body);
        PendingCall pending = handles.get(decision.handle(), principal);
        refuseAuthorization(pending);
        Approval question = pending.approval();
        if (question == null)
            throw Refusals.of(ProblemType.ENDED, "The handle '" + decision.handle()
                    + "' waits for work, not for the decision of a person. POST …/completions ends it.");
        if (decision.decision() == Decision.Verdict.APPROVE && !question.isShownWhole()
                && !Boolean.TRUE.equals(decision.despiteHidden()))
            throw Refusals.invalid("The call of handle '" + decision.handle() + "' was not shown whole: "
                    + "'despiteHidden' must be true to approve it.");
        accept(ctx, decision.handle(), () -> Stages.sentOnly(fleet.decide(decision), "the decision"));
    }

    private static Completion completion(Context ctx, ObjectNode body) {
        checkText(body, "token");
        if (!KINDS.contains(body.path("kind").asString("")))
            throw Refusals.invalid("'kind' must be " + String.join(", ", KINDS) + ".");
        body.put(HANDLE, ctx.pathParam(HANDLE));
        return switch (CompletionDecoder.decode(Json.MAPPER.writeValueAsBytes(body))) {
            case DecodedCompletion.Valid(Completion completion) -> completion;
            case DecodedCompletion.Malformed(String reason, var _) ->
                throw Refusals.invalid("The completion is refused: " + reason + ".");
        };
    }

    private static Decision decision(Context ctx, ObjectNode body) {
        body.put(HANDLE, ctx.pathParam(HANDLE));
        Set<String> verdicts = Set.of(Decision.Verdict.APPROVE.text(), Decision.Verdict.REJECT.text());
        if (!verdicts.contains(body.path(VERDICT).asString("")))
            throw Refusals.invalid("'" + VERDICT + "' must be approve or reject.");
        if (body.hasNonNull(DESPITE) && !body.get(DESPITE).isBoolean())
            throw Refusals.invalid("'" + DESPITE + "' must be true or false.");
        return DECISIONS.read(Json.MAPPER.writeValueAsBytes(body));
    }

    private static void checkText(ObjectNode body, String field) {
        if (body.hasNonNull(field) && !body.get(field).isString())
            throw Refusals.invalid("'" + field + "' must be text.");
    }

    private static void accept(Context ctx, String handle, Runnable send) {
        try {
            send.run();
        } catch (IllegalArgumentException e) {
            throw Refusals.invalid(e.getMessage() + ".");
        }
        ctx.status(ACCEPTED);
        Answers.json(ctx, Json.MAPPER.createObjectNode().put(HANDLE, handle));
    }
}
