package dev.toolfleet.console.page;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.wire.ResultStatus;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Selection of calls, as a person has typed it. It stands in the address of the page, which can be shared.
///
/// @param state one of [#STATES]; empty for all
/// @param since one of [#TIMES]; empty for all that are kept
record CallQuery(String instance, String agent, String tool, String user, String state, String code, String since) {
    static final CallQuery ALL = new CallQuery("", "", "", "", "", "", "");
    /// Calls of the last hour that failed.
    static final CallQuery FAILED_IN_AN_HOUR = new CallQuery("", "", "", "", "error", "", "1h");
    /// The states, with their names.
    static final Map<String, String> STATES = states();
    /// The times, with their names.
    static final Map<String, String> TIMES = times();
    private static final String OPEN = "open";
    private static final String OK = "ok";
    private static final String ERROR = "error";
    private static final Map<String, Duration> SPANS = Map.of("15m", Duration.ofMinutes(15), "1h", Duration.ofHours(1),
            "6h", Duration.ofHours(6));

    private static Map<String, String> states() {
        Map<String, String> states = new LinkedHashMap<>();
        states.put("", "any state");
        states.put("open", "open");
        states.put("ok", "ended: ok");
        states.put("error", "ended: error");
        states.put("accepted", "accepted");
        states.put("running", "running");
        states.put("pending", "waits for work");
        states.put("approval", "waits for approval");
        states.put("resumed", "resumed");
        return states;
    }

    private static Map<String, String> times() {
        Map<String, String> times = new LinkedHashMap<>();
        times.put("", "all that are kept");
        times.put("15m", "last 15 minutes");
        times.put("1h", "last hour");
        times.put("6h", "last 6 hours");
        return times;
    }

    /// Reads the parameters of a page.
    ///
    /// @throws IllegalArgumentException naming the parameter and what is accepted
    static CallQuery of(Context ctx) {
        CallQuery query = new CallQuery(text(ctx, "instance"), text(ctx, "agent"), text(ctx, "tool"),
                text(ctx, "user"), text(ctx, "state"), text(ctx, "code"), text(ctx, "since"));
        if (!STATES.containsKey(query.state))
            throw unknown("state", query.state, STATES);
        if (!TIMES.containsKey(query.since))
            throw unknown("since", query.since, TIMES);
        return query;
    }

    private static String text(Context ctx, String name) {
        String text = ctx.method().name().equals("POST") ? Field.form(ctx, name, 1_024) : Field.query(ctx, name);
        return text == null ? "" : text;
    }

    private static IllegalArgumentException unknown(String name, String value, Map<String, String> known) {
        return new IllegalArgumentException("'" + name + "' is '" + value + "'; one of "
                + String.join(", ", known.keySet().stream().filter(one -> !one.isEmpty()).toList()) + " is accepted.");
    }

    CallQuery inState(String other) {
        return new CallQuery(instance, agent, tool, user, other, code, since);
    }

    static CallQuery ofTool(String tool) {
        return new CallQuery("", "", tool, "", OPEN, "", "");
    }

    static CallQuery ofInstance(String instance) {
        return new CallQuery(instance, "", "", "", OPEN, "", "");
    }

    /// Returns the selection at a moment.
    ///
    /// @throws IllegalArgumentException when the pattern of tools cannot be used
    CallFilter filter(Instant now) {
        return new CallFilter(orNull(instance), orNull(agent), glob(), orNull(user), stage(), state.equals(OPEN),
                status(), code.isEmpty() ? null : code.toUpperCase(Locale.ROOT),
                Optional.ofNullable(SPANS.get(since)).map(now::minus).orElse(null));
    }

    private @Nullable Glob glob() {
        if (tool.isEmpty())
            return null;
        Glob.problem(tool).ifPresent(problem -> {
            throw new IllegalArgumentException("The tool '" + tool + "' " + problem
                    + ". Write a name such as bash__exec, or a pattern such as bash__*.");
        });
        return Glob.of(tool);
    }

    private @Nullable CallStage stage() {
        return Arrays.stream(CallStage.values()).filter(stage -> stage != CallStage.ENDED)
                .filter(stage -> stage.text().equals(state)).findFirst().orElse(null);
    }

    private @Nullable ResultStatus status() {
        return switch (state) {
            case OK -> ResultStatus.OK;
            case ERROR -> ResultStatus.ERROR;
            default -> null;
        };
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    Map<String, String> parameters() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("instance", instance);
        all.put("agent", agent);
        all.put("tool", tool);
        all.put("user", user);
        all.put("state", state);
        all.put("code", code);
        all.put("since", since);
        return all;
    }

    /// Returns the address of the list.
    String path() {
        return Section.CALLS.path() + Field.queryOf(parameters());
    }

    /// Returns the address of the list's live part.
    String live() {
        return Section.live("calls") + Field.queryOf(parameters());
    }

    boolean isAll() {
        return equals(ALL);
    }

    /// Returns the selection in words.
    List<String> words() {
        return parameters().entrySet().stream().filter(one -> !one.getValue().isEmpty())
                .map(one -> one.getKey() + " " + one.getValue()).toList();
    }
}
