package dev.toolfleet.gateway.rest;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.calls.VisibleCalls;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.wire.ResultStatus;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Lists the calls that the principal may see, the newest first, without their arguments and outputs.
record CallListRoute(VisibleCalls calls) implements Route {
    static final String PATH = "/v1/calls";
    private static final String USER = "user";
    private static final String STAGE = "stage";
    private static final String STATUS = "status";
    private static final String OPEN = "open";
    private static final List<String> STAGES = Stream
            .concat(Stream.of(OPEN), Stream.of(CallStage.values()).map(CallStage::text)).toList();
    private static final List<String> STATUSES = List.of("ok", "error");
    private static final int USUAL = 50;
    private static final int MOST = 200;

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, ApprovalRoute.INSTANCE, ApprovalRoute.AGENT, ErrorRoute.TOOL, USER, STAGE, STATUS,
                ErrorRoute.CODE, ErrorRoute.SINCE, ErrorRoute.AFTER, ListAnswers.LIMIT);
        Principal principal = Principal.of(ctx, Scope.TOOLS_CALL, Scope.FLEET_READ);
        TopicPosition after = ListAnswers.position(ctx, ErrorRoute.AFTER);
        CallPage page = ListAnswers.value(calls.list(filter(ctx), after, ListAnswers.limit(ctx, USUAL, MOST),
                call -> principal.mayUse(call.instanceKey(), call.agentName())));
        Answers.json(ctx, CallAnswers.page(page));
    }

    private static CallFilter filter(Context ctx) {
        String stage = ListAnswers.word(ctx, STAGE, STAGES);
        String status = ListAnswers.word(ctx, STATUS, STATUSES);
        boolean open = OPEN.equals(stage);
        return new CallFilter(ListAnswers.name(ctx, ApprovalRoute.INSTANCE),
                ListAnswers.name(ctx, ApprovalRoute.AGENT), ListAnswers.glob(ctx, ErrorRoute.TOOL),
                ListAnswers.name(ctx, USER),
                stage == null || open ? null : CallStage.valueOf(stage.toUpperCase(Locale.ROOT)), open,
                status == null ? null : ResultStatus.valueOf(status.toUpperCase(Locale.ROOT)),
                ListAnswers.name(ctx, ErrorRoute.CODE), ListAnswers.instant(ctx, ErrorRoute.SINCE));
    }
}
