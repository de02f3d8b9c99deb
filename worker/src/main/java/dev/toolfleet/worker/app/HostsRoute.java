package dev.toolfleet.worker.app;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.hosts.Hosts;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Route that shows the processes that run handlers in other languages than Java, and those that are paused.
final class HostsRoute implements Route {
    private static final String PATH = "/v1/hosts";

    private final Supplier<Source> source;

    /// Sources of the answer.
    ///
    /// @param worker its name
    record Source(String worker, Hosts hosts) {}

    /// @param source called at each request; throws while the worker has not started
    HostsRoute(Supplier<Source> source) {
        this.source = source;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx);
        Source now = source.get();
        Answers.json(ctx, json(now.worker(), now.hosts().processes(), now.hosts().refusals(), now.hosts().starts()));
    }

    static ObjectNode json(String worker, List<Hosts.ProcessState> processes, Map<String, String> paused,
            long started) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("worker", worker).put("started", started);
        ArrayNode hosts = json.putArray("hosts");
        for (Hosts.ProcessState process : processes)
            hosts.addObject().put("host", process.host()).put("kind", process.kind())
                    .put("version", process.version()).put("pid", process.pid()).put("calls", process.inFlight())
                    .put("memory", process.rss());
        ArrayNode notRunning = json.putArray("paused");
        paused.forEach((host, reason) -> notRunning.addObject().put("host", host).put("reason", reason));
        return json;
    }
}
