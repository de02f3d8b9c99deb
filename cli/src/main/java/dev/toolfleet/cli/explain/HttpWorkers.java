package dev.toolfleet.cli.explain;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.cli.explain.CallSnapshot.Held;
import dev.toolfleet.cli.explain.CallSnapshot.LiveCall;
import dev.toolfleet.config.FleetConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Calls of an instance, as the workers show them over HTTP.
record HttpWorkers(WorkerQueries queries) implements LiveCalls {
    static HttpWorkers of(FleetConfig fleet, List<URI> urls) {
        return new HttpWorkers(WorkerQueries.of(fleet, urls));
    }

    @Override
    public CallSnapshot.Live of(String instance, GroupState group) throws InterruptedException {
        List<URI> workers = queries.addresses(group);
        if (workers.isEmpty())
            return CallSnapshot.Live.unasked(group.members().isEmpty()
                    ? "no worker runs, so none was asked over HTTP"
                    : "workers were not asked over HTTP, since worker.http.port is " + queries.port()
                            + "; --worker-url names where they answer");
        WorkerQueries.Answers answers = queries.get(workers,
                "/v1/calls?instance=" + URLEncoder.encode(instance, StandardCharsets.UTF_8));
        List<LiveCall> calls = new ArrayList<>();
        List<Held> held = new ArrayList<>();
        Set<String> answered = new HashSet<>();
        List<String> silent = new ArrayList<>(answers.silent());
        for (JsonNode body : answers.bodies()) {
            try {
                answered.add(read(body, calls, held));
            } catch (DateTimeParseException e) {
                silent.add(body.path("worker").asString("a worker") + " (" + e.getClass().getSimpleName() + ")");
            }
        }
        return new CallSnapshot.Live(calls, held, answered, silent.isEmpty()
                ? null
                : "not every worker could be asked over HTTP: " + String.join(", ", silent)
                        + "; what they do now is concluded from the topics (worker.http, --worker-url)");
    }

    private static @Nullable String host(JsonNode call) {
        return call.has("host")
                ? call.path("host").asString("") + ", process " + call.path("pid").asLong()
                : null;
    }

    /// Adds the calls and held partitions of an answer; returns the name of its worker.
    static String read(JsonNode json, List<LiveCall> calls, List<Held> held) {
        String worker = json.path("worker").asString("");
        for (JsonNode call : json.path("calls")) {
            String since = call.path("since").asString("");
            calls.add(new LiveCall(worker, call.path("partition").asInt(), call.path("offset").asLong(),
                    call.path("id").asString(""), call.path("name").asString(""), call.path("stage").asString(""),
                    since.isEmpty() ? null : Instant.parse(since), call.path("attempt").asInt(1),
                    call.path("skipped").asBoolean(false), host(call)));
        }
        for (JsonNode each : json.path("held"))
            held.add(new Held(worker, each.path("partition").asInt(),
                    each.path("reasons").valueStream().map(reason -> reason.asString("")).toList()));
        return worker;
    }
}
