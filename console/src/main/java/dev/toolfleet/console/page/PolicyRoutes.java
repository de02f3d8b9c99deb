package dev.toolfleet.console.page;

import java.util.List;

import dev.toolfleet.console.operate.OperatorCommands;
import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import dev.toolfleet.console.operate.OperatorCommands.PolicyQuestion;
import dev.toolfleet.console.web.Door;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Questions to the policy: the nine stages with their verdicts, for any caller and any arguments.
final class PolicyRoutes implements Route {
    private static final int MAX_ARGUMENTS = 20_000;

    private final Door door;
    private final OperatorCommands commands;

    PolicyRoutes(Door door, OperatorCommands commands) {
        this.door = door;
        this.commands = commands;
    }

    /// Model of the page.
    ///
    /// @param outcome null before a question
    record PolicyModel(Frame frame, String tool, String agent, String user, String channel, String arguments,
            @Nullable Outcome outcome) {
        /// Stage of the policy, and its verdict.
        ///
        /// @param verdict empty when the stage has none
        record StageRow(String stage, String verdict, String rule, String reason) {
            StatusMark mark() {
                return switch (verdict) {
                    case "" -> new StatusMark("idle", "–", "nothing");
                    case "allow" -> StatusMark.good(verdict);
                    case "deny" -> StatusMark.bad(verdict);
                    default -> StatusMark.waits(verdict);
                };
            }
        }

        List<StageRow> stages() {
            return outcome == null
                    ? List.of()
                    : outcome.json().path("stages").valueStream()
                            .map(one -> new StageRow(text(one, "stage"), text(one, "verdict"), text(one, "rule"),
                                    text(one, "reason")))
                            .toList();
        }

        StageRow decided() {
            JsonNode json = outcome == null ? Json.MAPPER.missingNode() : outcome.json();
            return new StageRow(text(json, "stage"), text(json, "verdict"), text(json, "rule"), text(json, "reason"));
        }

        String why() {
            return outcome == null ? "" : text(outcome.json(), "why");
        }

        private static String text(JsonNode json, String field) {
            return json.path(field).asString("");
        }
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, Section.POLICY.path(), door.page(this::show));
    }

    private void show(Context ctx, Visit visit) {
        Rights.check(visit, Section.POLICY);
        String tool = Field.query(ctx, "tool");
        String agent = Field.query(ctx, "agent");
        String user = Field.query(ctx, "user");
        String channel = Field.query(ctx, "channel");
        String arguments = ctx.queryParam("args");
        Outcome outcome = tool == null
                ? null
                : commands.policy(new PolicyQuestion(tool, agent, user, channel, arguments(arguments)));
        Templates.page(ctx, "policy", new PolicyModel(
                Frame.of(visit, Section.POLICY, "Policy", tool == null
                        ? "toolfleet policy explain TOOL"
                        : "toolfleet policy explain " + Field.quoted(tool)
                                + (agent == null ? "" : " --agent " + Field.quoted(agent))
                                + (user == null ? "" : " --user " + Field.quoted(user))),
                text(tool), text(agent), text(user), text(channel), text(arguments), outcome));
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable JsonNode arguments(@Nullable String text) {
        if (text == null || text.isBlank())
            return null;
        if (text.length() > MAX_ARGUMENTS)
            throw new IllegalArgumentException("The arguments have " + text.length() + " characters; at most "
                    + MAX_ARGUMENTS + " are accepted.");
        try {
            JsonNode json = Json.MAPPER.readTree(text);
            if (json.isObject())
                return json;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("The arguments are no JSON: " + e.getOriginalMessage());
        }
        throw new IllegalArgumentException("The arguments must be a JSON object, such as {\"path\": \"a.txt\"}.");
    }
}
