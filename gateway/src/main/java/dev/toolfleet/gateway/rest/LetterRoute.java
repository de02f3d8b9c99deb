package dev.toolfleet.gateway.rest;

import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.LetterPage;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Lists dead letters, the newest first, without their values. A letter need not name an agent or an instance, so a
/// principal that may not use all of them sees none.
record LetterRoute(FleetLists lists) implements Route {
    static final String PATH = "/v1/dead-letters";
    static final String REASON = "reason";
    static final String TOPIC = "topic";
    static final String ALL = "all";

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, REASON, TOPIC, ErrorRoute.SINCE, ALL, ListAnswers.LIMIT);
        Principal principal = Principal.of(ctx, Scope.FLEET_READ);
        principal.checkUnrestricted("dead letters");
        LetterFilter filter = new LetterFilter(ListAnswers.name(ctx, REASON), ListAnswers.name(ctx, TOPIC),
                ListAnswers.instant(ctx, ErrorRoute.SINCE));
        LetterPage page = ListAnswers.value(lists.letters(filter, ListAnswers.flag(ctx, ALL), ListAnswers.limit(ctx)));
        ObjectNode json = Json.MAPPER.createObjectNode();
        ArrayNode letters = json.putArray("letters");
        page.letters().forEach(letter -> letters.add(letter.json()));
        ListAnswers.send(ctx, json, page.older(), ListAnswers.beyond(page.older(), "older letters"));
    }
}
