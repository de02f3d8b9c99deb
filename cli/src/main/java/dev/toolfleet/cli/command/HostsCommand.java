package dev.toolfleet.cli.command;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.explain.HostLister;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "hosts", header = "Lists the processes that run handlers in JavaScript, TypeScript, Python and executables.", description = {
        "",
        "Reads from each worker over HTTP: the bundle and kind of each process, its calls at work and its memory, and"
                + " the hosts that are paused because their processes ended too often."}, footer = {"", "Examples:",
                        "  toolfleet hosts", "  toolfleet hosts --worker-url http://127.0.0.1:7071 --json", "",
                        "Exit codes: 0 all workers answered and no host is paused, 1 not so, 2 usage."})
final class HostsCommand extends FleetCommand {
    @Option(names = "--worker-url", paramLabel = "URL", description = "Reads from the worker there, such as http://host:7071; may be repeated (default: the members of the group, at worker.http.port).")
    private List<URI> workers = new ArrayList<>();

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    HostsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        return new HostLister(fleet(), workers).list(json);
    }
}
