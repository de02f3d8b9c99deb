package dev.toolfleet.cli.explain;

import java.net.URI;
import java.util.List;

import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// `toolfleet hosts`: lists the processes of a fleet that run handlers in other languages than Java.
public final class HostLister {
    private static final String PATH = "/v1/hosts";
    private static final long MEGABYTE = 1 << 20;

    private final RemoteFleet fleet;
    private final WorkerQueries workers;

    /// @param urls of the workers; empty for the members of the group
    public HostLister(RemoteFleet fleet, List<URI> urls) {
        this.fleet = fleet;
        this.workers = WorkerQueries.of(fleet.config(), urls);
    }

    /// Prints them.
    ///
    /// @return 0 if all workers answered and no host is paused, else 1
    /// @throws Failure if there is no worker that could answer
    public int list(boolean json) throws InterruptedException {
        List<URI> addresses = workers.urls().isEmpty()
                ? workers.addresses(GroupState.of(fleet.config()))
                : workers.urls();
        if (addresses.isEmpty())
            throw Failure.failed("no worker runs, or worker.http.port is off; --worker-url names where one answers");
        WorkerQueries.Answers answers = workers.get(addresses, PATH);
        if (json)
            fleet.terminal().print(json(answers).toPrettyString());
        else
            text(answers, fleet.terminal().width(), new Style(fleet.terminal().colour()))
                    .forEach(fleet.terminal()::print);
        answers.silent().forEach(worker -> fleet.terminal().note("toolfleet: no answer: " + worker));
        boolean paused = answers.bodies().stream().anyMatch(body -> !body.path("paused").isEmpty());
        return paused || !answers.silent().isEmpty() ? Failure.FAILED : Failure.SUCCESS;
    }

    private static ArrayNode json(WorkerQueries.Answers answers) {
        ArrayNode all = Json.MAPPER.createArrayNode();
        answers.bodies().forEach(all::add);
        return all;
    }

    static List<String> text(WorkerQueries.Answers answers, int width, Style style) {
        Grid grid = new Grid(width, "worker", "host", "version", "pid", "calls", "memory", "state");
        boolean empty = true;
        for (JsonNode body : answers.bodies()) {
            String worker = body.path("worker").asString("");
            for (JsonNode host : body.path("hosts")) {
                empty = false;
                grid.row(worker, host.path("host").asString(""), host.path("version").asString(""),
                        host.path("pid").asString(""), host.path("calls").asString("0"),
                        memory(host.path("memory").asLong(0)), "runs");
            }
            for (JsonNode host : body.path("paused")) {
                empty = false;
                grid.row(worker, host.path("host").asString(""), "", "", "", "",
                        "paused: " + host.path("reason").asString(""));
            }
        }
        return empty ? List.of("No worker runs handlers in other languages than Java.") : grid.lines(style);
    }

    private static String memory(long bytes) {
        return bytes == 0 ? "" : bytes / MEGABYTE + " MB";
    }
}
