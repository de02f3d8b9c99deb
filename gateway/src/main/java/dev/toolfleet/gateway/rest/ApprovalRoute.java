package dev.toolfleet.gateway.rest;

import java.util.List;

import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Lists the calls that wait for a person, the oldest first, with the arguments that would run.
record ApprovalRoute(FleetLists lists) implements Route {
    static final String PATH = "/v1/approvals";
    static final String INSTANCE = "instance";
    static final String AGENT = "agent";

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, INSTANCE, AGENT, ListAnswers.LIMIT);
        Principal principal = Principal.of(ctx, Scope.APPROVALS_DECIDE, Scope.FLEET_READ);
        String instance = ListAnswers.name(ctx, INSTANCE);
        String agent = ListAnswers.name(ctx, AGENT);
        int limit = ListAnswers.limit(ctx);
        List<OpenApproval> open = ListAnswers.value(lists.approvals(each -> {
            ToolCall call = each.call().call();
            String of = call.agentName();
            return (instance == null || instance.equals(call.instanceKey())) && (agent == null || agent.equals(of))
                    && principal.mayUse(call.instanceKey(), of);
        }));
        ObjectNode json = Json.MAPPER.createObjectNode();
        ArrayNode approvals = json.putArray("approvals");
        open.stream().limit(limit).forEach(each -> approvals.add(each.json()));
        int younger = open.size() - approvals.size();
        ListAnswers.send(ctx, json, younger, ListAnswers.beyond(younger, "younger approvals"));
    }
}
