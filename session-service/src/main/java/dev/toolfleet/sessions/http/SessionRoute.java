package dev.toolfleet.sessions.http;

import java.util.List;
import java.util.function.Function;

import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.sessions.topology.SessionQueries.StoredSession;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.JsonNode;

/// Shows the messages and the state of a session.
final class SessionRoute implements Route {
    private static final String VIEW = "view";
    private static final String LOG = "log";
    private static final String MODEL = "model";

    private final SessionFinder finder;

    SessionRoute(SessionFinder finder) {
        this.finder = finder;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/v1/instances/{instanceKey}/agents/{agent}/messages", this::messages);
        Route.read(routes, "/v1/instances/{instanceKey}/agents/{agent}/session", this::state);
    }

    private void messages(Context ctx) {
        Answers.allowParameters(ctx, VIEW);
        String view = ctx.queryParam(VIEW) == null ? LOG : ctx.queryParam(VIEW);
        switch (view) {
            case LOG -> answer(ctx, SessionViews::log);
            case MODEL -> answer(ctx, SessionViews::model);
            default -> throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST,
                    "The view '" + view + "' is unknown; there are " + LOG + " and " + MODEL + "."));
        }
    }

    private void state(Context ctx) {
        Answers.allowParameters(ctx);
        answer(ctx, session -> Json.MAPPER.valueToTree(session.state()));
    }

    private void answer(Context ctx, Function<StoredSession, JsonNode> view) {
        String instanceKey = ctx.pathParam("instanceKey");
        String agent = ctx.pathParam("agent");
        String query = ctx.queryString();
        String path = ctx.path() + (query == null || query.isEmpty() ? "" : "?" + query);
        switch (finder.find(instanceKey, agent, path, ctx.header(SessionFinder.HOP_HEADER) != null)) {
            case SessionFinder.Found.Here(StoredSession session) -> Answers.json(ctx, view.apply(session));
            case SessionFinder.Found.There(String json) -> ctx.contentType("application/json").result(json);
            case SessionFinder.Found.Unclear(String reason) -> throw new ProblemException(Problem.notReady(
                    "The session is not available now: " + reason + ". Ask again in a second.", List.of()));
            case SessionFinder.Found.Nowhere() -> throw new ProblemException(Problem.of(ProblemType.UNKNOWN_SESSION,
                    "No message of the agent '" + agent + "' of the instance '" + instanceKey + "' is known: none was"
                            + " written on session.message, and no call has a result, or none for as long as"
                            + " session.retention. See that both names are percent-encoded in the path, '/' as %2F."));
        }
    }
}
