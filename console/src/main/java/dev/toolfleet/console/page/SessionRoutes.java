package dev.toolfleet.console.page;

import java.util.List;
import java.util.Map;

import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.InstanceViews;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Messages of an agent's session, and its state.
final class SessionRoutes implements Route {
    private final Door door;
    private final FleetLists lists;

    SessionRoutes(Door door, FleetLists lists) {
        this.door = door;
        this.lists = lists;
    }

    /// Model of the page.
    ///
    /// @param messages the oldest first
    /// @param problem the reason why there are none; empty without one
    record SessionsModel(Frame frame, String instance, String agent, List<SessionRow> messages, String problem,
            List<ToolRoutes.Fact> facts) {}

    /// Message of a session.
    record SessionRow(String role, String source, String text, int cut) {}

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.SESSIONS.path(), door.page(this::show));
    }

    private void show(Context ctx, Visit visit) {
        Rights.check(visit, Section.SESSIONS);
        String instance = Field.query(ctx, "instance");
        String agent = Field.query(ctx, "agent");
        Frame frame = Frame.of(visit, Section.SESSIONS, "Sessions", instance == null || agent == null
                ? "toolfleet session show --instance KEY --agent NAME"
                : "toolfleet session show --instance " + Field.quoted(instance) + " --agent " + Field.quoted(agent));
        if (instance == null || agent == null) {
            Templates.page(ctx, "sessions", new SessionsModel(frame, text(instance), text(agent), List.of(), "",
                    List.of()));
            return;
        }
        visit.principal().checkUse(instance, agent);
        Read messages = read(InstanceViews.View.MESSAGES, instance, agent);
        Read state = read(InstanceViews.View.SESSION, instance, agent);
        Templates.page(ctx, "sessions", new SessionsModel(frame, instance, agent,
                messages.json().path("messages").valueStream().map(SessionRoutes::row).toList(), messages.problem(),
                facts(state.json())));
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private record Read(JsonNode json, String problem) {}

    private Read read(InstanceViews.View view, String instance, String agent) {
        return switch (lists.views().read(view, instance, agent, Map.of(), null)) {
            case Answer.Found<InstanceViews.Shown>(InstanceViews.Shown shown) -> {
                try {
                    yield new Read(Json.MAPPER.readTree(shown.body() == null ? new byte[]{'{', '}'} : shown.body()),
                            "");
                } catch (JacksonException e) {
                    yield new Read(Json.MAPPER.missingNode(), "the service sent an answer that cannot be read");
                }
            }
            case Answer.Unknown<InstanceViews.Shown>(String reason) -> new Read(Json.MAPPER.missingNode(), reason);
            case Answer.Unavailable<InstanceViews.Shown>(String reason) ->
                new Read(Json.MAPPER.missingNode(), reason);
        };
    }

    private static SessionRow row(JsonNode message) {
        JsonNode data = message.has("data") ? message.path("data") : message;
        JsonNode content = data.path("content");
        ShownValue shown = ShownValue.of(content.isMissingNode() ? data : content);
        return new SessionRow(data.path("role").asString(message.path("role").asString("message")),
                message.path("source").path("type").asString(message.path("source").asString("")), shown.text(),
                shown.cut());
    }

    private static List<ToolRoutes.Fact> facts(JsonNode state) {
        return state.properties().stream().filter(one -> one.getValue().isValueNode())
                .map(one -> new ToolRoutes.Fact(one.getKey(), one.getValue().asString(one.getValue().toString())))
                .toList();
    }
}
