package dev.toolfleet.gateway.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.format.CatalogFormat;
import dev.toolfleet.client.format.Note;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Announces steps, and answers with the tools that their models may see and call.
final class StepRoute implements Route {
    static final String FORMAT = "format";
    private static final String STEPS = "/v1/instances/{instanceKey}/agents/{agent}/steps";
    private static final String TURN = "turnId";
    private static final String STEP = "stepId";
    private static final String INDEX = "stepIndex";
    private static final String USER = "userId";
    private static final String CHANNEL = "channelId";
    private static final String HINTS = "hints";
    private static final Set<String> FIELDS = Set.of(TURN, STEP, INDEX, USER, CHANNEL, HINTS);
    private static final int ACCEPTED = 202;

    private final FleetWriter fleet;
    private final Supplier<FleetResources> resources;

    /// @param resources the declarations of the moment
    StepRoute(FleetWriter fleet, Supplier<FleetResources> resources) {
        this.fleet = fleet;
        this.resources = resources;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.post(STEPS, this::begin);
        routes.post(STEPS + "/{turnId}/{stepId}/end", this::end);
    }

    private void begin(Context ctx) {
        Answers.allowParameters(ctx, FORMAT);
        Principal principal = allowed(ctx);
        CatalogFormat format = format(ctx.queryParam(FORMAT));
        ObjectNode body = JsonBody.read(ctx, CallRequest.MAX_BODY, CallRequest.BODY_WITHIN, FIELDS);
        CallRequest.speaker(body, principal);
        JsonNode hints = body.get(HINTS);
        if (body.hasNonNull(HINTS) && !hints.isObject())
            throw Refusals.invalid("'" + HINTS + "' must be an object.");
        StepStarted step = new StepStarted(id("instanceKey", ctx.pathParam("instanceKey")),
                id("agent", ctx.pathParam("agent")), required(body, TURN), required(body, STEP), index(body.get(INDEX)),
                optional(body, USER), optional(body, CHANNEL), hints instanceof ObjectNode object ? object : null);
        answer(ctx, catalog(step), format);
    }

    static CatalogFormat format(@Nullable String name) {
        if (name == null)
            return CatalogFormat.TOOLFLEET;
        return CatalogFormat.of(name).orElseThrow(() -> Refusals.invalid("The format '" + name
                + "' is unknown; there are " + CatalogFormat.allowed() + "."));
    }

    private StepCatalogView catalog(StepStarted step) {
        try {
            StepCatalogView view = Stages.within(fleet.beginStep(step), CallRequest.BODY_WITHIN.plusSeconds(30));
            if (view != null)
                return view;
        } catch (ToolFleetClientException e) {
            throw Refusals.later("the step was not sent, or the broker did not confirm it");
        }
        throw Refusals.later("no catalog was published for the step in time; see that a catalog service runs");
    }

    private void answer(Context ctx, StepCatalogView view, CatalogFormat format) {
        ObjectNode json = format.render(view.tools()).json(view.digest()).put("instanceKey", view.instanceKey())
                .put("agentName", view.agentName()).put(TURN, view.turnId()).put(STEP, view.stepId());
        List<Note> absent = absent(view);
        if (json.get("notes") instanceof ArrayNode notes)
            absent.forEach(note -> notes.add(Json.MAPPER.<JsonNode>valueToTree(note)));
        ctx.header(ListAnswers.LEFT_OUT, Long.toString(absent.stream().filter(note -> !note.tool().isEmpty()).count()));
        Answers.json(ctx, json);
    }

    /// Returns a note for each declared tool that the step does not show, and for each problem of the declarations. An
    /// empty list without a reason costs people days.
    private List<Note> absent(StepCatalogView view) {
        AgentTools declared = AgentTools.of(resources.get(), view.agentName());
        Set<String> shown = view.tools().stream().map(ToolCatalogItem::name).collect(Collectors.toSet());
        List<Note> notes = new ArrayList<>();
        declared.items().stream().map(ToolCatalogItem::name).filter(name -> !shown.contains(name))
                .forEach(
                        name -> notes.add(new Note(name, "The agent's declarations have it, and this step does not show"
                                + " it: a policy, a ToolGroup or a middleware hides it.")));
        declared.problems().forEach(problem -> notes.add(new Note("", sentence(problem))));
        return notes;
    }

    private static String sentence(String problem) {
        return problem.substring(0, 1).toUpperCase(Locale.ROOT) + problem.substring(1) + ".";
    }

    private void end(Context ctx) {
        Answers.allowParameters(ctx);
        allowed(ctx);
        JsonNode index = null;
        if (JsonBody.isPresent(ctx))
            index = JsonBody.read(ctx, CallRequest.MAX_BODY, CallRequest.BODY_WITHIN, Set.of(INDEX)).get(INDEX);
        StepEnded step = new StepEnded(id("instanceKey", ctx.pathParam("instanceKey")),
                id("agent", ctx.pathParam("agent")), id(TURN, ctx.pathParam(TURN)), id(STEP, ctx.pathParam(STEP)),
                index(index));
        Stages.sentOnly(fleet.endStep(step), "the end of the step");
        ctx.status(ACCEPTED);
        Answers.json(ctx, Json.MAPPER.createObjectNode().put(TURN, step.turnId()).put(STEP, step.stepId()));
    }

    private static Principal allowed(Context ctx) {
        Principal principal = Principal.of(ctx, Scope.TOOLS_LIST);
        principal.checkUse(ctx.pathParam("instanceKey"), ctx.pathParam("agent"));
        return principal;
    }

    private static String required(ObjectNode body, String field) {
        String text = optional(body, field);
        if (text == null)
            throw Refusals.invalid("'" + field + "' is missing; name the step that begins.");
        return text;
    }

    private static @Nullable String optional(ObjectNode body, String field) {
        JsonNode node = body.get(field);
        if (node == null || node.isNull())
            return null;
        if (!node.isString())
            throw Refusals.invalid("'" + field + "' must be text.");
        return id(field, node.stringValue());
    }

    static String id(String field, String text) {
        if (text.isEmpty() || text.length() > ToolCall.MAX_ID)
            throw Refusals.invalid("'" + field + "' has " + text.length() + " characters; 1 to " + ToolCall.MAX_ID
                    + " are accepted.");
        return text;
    }

    private static @Nullable Integer index(@Nullable JsonNode node) {
        if (node == null || node.isNull())
            return null;
        if (!node.isIntegralNumber() || !node.canConvertToInt())
            throw Refusals.invalid("'" + INDEX + "' must be a whole number.");
        return node.intValue();
    }
}
