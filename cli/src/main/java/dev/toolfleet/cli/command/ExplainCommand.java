package dev.toolfleet.cli.command;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.explain.CallExplainer;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "explain", header = "Says where a call is, and why it has not ended or how it did.", description = {"",
        "One sentence first, then what happened when, then what to do. It reads the fleet's topics and needs no worker;"
                + " a worker whose HTTP port can be reached adds what it is doing with the call right now.",
        "",
        "A call is named by its id, its handle, its id at a gateway, or the record that it is. Models repeat their call ids: when several"
                + " match they are shown; --instance, --step or --record narrow. The newest calls are searched first."}, footer = {
                        "", "Examples:", "  toolfleet explain call_abc --instance telegram:123",
                        "  toolfleet explain build-4711", "  toolfleet explain --record 3/4711 --json", "",
                        "Exit codes: 0 the call was found, 1 there is no such call or the topics cannot be read, 2 usage,"
                                + " or several calls match."})
final class ExplainCommand extends FleetCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "CALL_ID|HANDLE", description = "The call's id, its id at a gateway (3-4711), or the handle that it waits for.")
    private @Nullable String name;

    @Option(names = "--instance", paramLabel = "KEY", description = "The conversation whose call it is.")
    private @Nullable String instance;

    @Option(names = "--step", paramLabel = "S", description = "The step of that call.")
    private @Nullable String step;

    @Option(names = "--record", paramLabel = "P/OFFSET", description = "The call's partition and offset on tool.call, instead of its id.")
    private @Nullable String record;

    @Option(names = "--since", paramLabel = "TIME", converter = DurationOption.class, description = "How far to look back for an id (default: 1d).")
    private Duration since = Duration.ofDays(1);

    @Option(names = "--worker-url", paramLabel = "URL", description = "Asks the worker there, such as http://host:7071; may be repeated (default: the members of the group, at worker.http.port).")
    private List<URI> workers = new ArrayList<>();

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    ExplainCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        if ((name == null) == (record == null))
            throw Failure.invalid("name one call: its id, its handle, or --record PARTITION/OFFSET");
        return new CallExplainer(fleet(),
                workers)
                .explain(new CallExplainer.Named(name, instance, step, record, since), json);
    }
}
