package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.call.LocalCall;
import dev.toolfleet.cli.call.OneCall;
import dev.toolfleet.cli.call.RemoteCall;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "call", header = "Makes one tool call and prints its result.", description = {"",
        "Against a running fleet the call gets a step of its own. With --local --bundle DIR the same"
                + " pipeline runs in this JVM, without a broker."}, footer = {"", "Examples:",
                        "  toolfleet call bash__exec '{\"command\": \"date\"}' --agent coder",
                        "  toolfleet call hello__greet '{\"name\": \"Ada\"}' --local --bundle examples/hello", "",
                        "Exit codes: 0 the result is ok, 1 it is an error or did not come, 2 the input is invalid."})
final class CallCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "NAME", description = "The tool's name, such as bash__exec.")
    private String tool = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "JSON", description = "The arguments (default: {}).")
    private String arguments = "{}";

    @Option(names = "--instance", paramLabel = "KEY", description = "The conversation (default: cli).")
    private String instance = "cli";

    @Option(names = "--agent", paramLabel = "NAME", description = "Who calls (default: the Swarm's entryAgent, else the only Agent).")
    private @Nullable String agent;

    @Option(names = "--timeout", paramLabel = "TIME", converter = DurationOption.class, description = "Until the final result (default: 60s).")
    private Duration timeout = Duration.ofSeconds(60);

    @Option(names = "--local", description = "Runs the call in this JVM, without a broker.")
    private boolean local;

    @Option(names = "--bundle", paramLabel = "DIR", description = "The bundle of a local call.")
    private @Nullable Path bundle;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    CallCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (local && bundle == null)
            throw Failure.invalid("--local needs --bundle DIR");
        if (local && fleet.namesBroker())
            throw Failure.invalid("--local needs no broker; leave out --local or --bootstrap");
        if (!local && bundle != null)
            throw Failure.invalid("--bundle is for --local calls; a fleet's bundles are applied with toolfleet apply");
        OneCall one = OneCall.of(tool, arguments, instance, Optional.ofNullable(agent), timeout);
        if (bundle != null)
            return new LocalCall(bundle, context.terminal()).call(one, fleet.load(context.environment()));
        return new RemoteCall(fleet.open(context)).call(one);
    }
}
