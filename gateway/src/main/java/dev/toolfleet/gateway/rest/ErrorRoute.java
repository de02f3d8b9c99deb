package dev.toolfleet.gateway.rest;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.gateway.lists.ErrorFilter;
import dev.toolfleet.gateway.lists.ErrorPage;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolErrorEvent;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Lists the calls that failed, from a time or a position on. Messages of tools that access sensitive data are not shown.
///
/// @param clock the present time, for the default of `since`
record ErrorRoute(FleetLists lists, InstantSource clock) implements Route {
    static final String PATH = "/v1/errors";
    static final String SINCE = "since";
    static final String AFTER = "after";
    static final String CODE = "code";
    static final String TOOL = "tool";
    private static final Duration LATELY = Duration.ofHours(1);

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, SINCE, AFTER, CODE, TOOL, ApprovalRoute.AGENT, ApprovalRoute.INSTANCE,
                ListAnswers.LIMIT);
        Principal principal = Principal.of(ctx, Scope.FLEET_READ);
        TopicPosition after = ListAnswers.position(ctx, AFTER);
        ErrorFilter filter = new ErrorFilter(since(ctx, after), ListAnswers.name(ctx, CODE),
                ListAnswers.glob(ctx, TOOL), ListAnswers.name(ctx, ApprovalRoute.AGENT),
                ListAnswers.name(ctx, ApprovalRoute.INSTANCE),
                error -> principal.mayUse(error.instanceKey(), error.agentName()));
        ErrorPage page = ListAnswers.value(lists.errors(filter, after, ListAnswers.limit(ctx)));
        ObjectNode json = Json.MAPPER.createObjectNode();
        ArrayNode errors = json.putArray("errors");
        page.errors().forEach(error -> errors.add(json(error)));
        json.put("next", page.next().toString()).put("complete", page.complete());
        Answers.json(ctx, json);
    }

    private static ObjectNode json(ToolErrorEvent event) {
        ObjectNode json = Json.MAPPER.valueToTree(event);
        if (event.sensitive() && json.get("error") instanceof ObjectNode error)
            error.retain(List.of("code"));
        return json;
    }

    private Instant since(Context ctx, @Nullable TopicPosition after) {
        Instant since = ListAnswers.instant(ctx, SINCE);
        if (since != null)
            return since;
        return after == null ? clock.instant().minus(LATELY) : Instant.EPOCH;
    }
}
