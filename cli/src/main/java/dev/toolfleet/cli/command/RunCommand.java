package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.play.BatchRun;
import dev.toolfleet.cli.play.BatchRun.RunOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "run", header = "Plays a script of calls against a bundle, in one JVM, and prints the results.", description = {
        "", "Starts a broker with temporary data, applies the bundle, starts catalog service, worker"
                + " and gateway, plays the script, waits until every call has its final result, and stops.",
        "",
        "The script is JSON Lines, one call a line (or a completion, decision or cancellation, below); blank lines and lines that begin with # are skipped. Only"
                + " name is needed: {\"name\": \"bash__exec\", \"args\": {\"command\": \"date\"}}. Missing are filled in:"
                + " instanceKey default, agentName from --agent, else the Swarm's entryAgent, else the only Agent,"
                + " turnId turn-1, stepId that of the instance's previous call, else step-1, id call- and the line"
                + " number. Calls of one instance, agent, turn and step are sent at once; the instance's next step"
                + " waits for their results, of which a pending one is the first.",
        "",
        "A call that needs a person's approval: {\"type\": \"decision\", \"toolCallId\": \"c1\", \"decision\":"
                + " \"approve\", \"by\": \"ann\", \"reason\": \"…\"} waits until the call it names is pending, then approves"
                + " or rejects it; by and reason may be left out, and \"despiteHidden\": true approves also what is not shown whole. A second one about the call is for the next time that"
                + " it is asked about.",
        "",
        "Work that finishes later: {\"type\": \"completion\", \"toolCallId\": \"c1\", \"kind\": \"completed\", \"output\":"
                + " {}} waits until the call it names is pending, then says what its tool would: kind is completed,"
                + " failed (with error), cancelled or progress (with progress), and token is what the call demands."
                + " {\"type\": \"cancel\", \"toolCallId\": \"c1\", \"afterMs\": 200} waits until the call was sent, or"
                + " with \"when\": \"pending\" until it is pending; with"
                + " stepId and no toolCallId it means all calls of that step. toolCallId names the nearest call before"
                + " the line, of that instanceKey or stepId if they are given; handle may stand in its"
                + " place."}, footer = {"", "Examples:",
                        "  toolfleet run --bundle examples/hello --calls examples/hello/calls.jsonl",
                        "  echo '{\"name\":\"hello__greet\",\"args\":{\"name\":\"Ada\"}}' | toolfleet run --bundle . --calls -",
                        "",
                        "Exit codes: 0 each call got a final result (status error included), 1 one did not within --timeout, or a",
                        "completion, decision or cancellation was not sent,",
                        "2 the script or the bundle cannot be used, and nothing ran."})
final class RunCommand implements Callable<Integer> {
    private static final Path STANDARD = Path.of("-");

    private final CommandContext context;

    @Option(names = "--bundle", required = true, paramLabel = "DIR", description = "The bundle's folder.")
    private Path bundle = Path.of(".");

    @Option(names = "--calls", required = true, paramLabel = "FILE|-", description = "The script; - for standard input.")
    private Path calls = STANDARD;

    @Option(names = "--results", paramLabel = "FILE|-", description = "Where each ToolResult goes, one a line (default: -, standard output).")
    private Path results = STANDARD;

    @Option(names = "--agent", paramLabel = "NAME", description = "Who makes the calls that name no agent.")
    private @Nullable String agent;

    @Option(names = "--workspace", paramLabel = "DIR", description = "Root of the instances' folders (default: a temporary one).")
    private @Nullable Path workspace;

    @Option(names = "--timeout", paramLabel = "TIME", converter = DurationOption.class, description = "For the whole script, such as 90s or 10m (default: 60s).")
    private Duration timeout = Duration.ofSeconds(60);

    @Option(names = "--port", paramLabel = "N", description = "The broker's port, for tools that complete by themselves (default: a free one).")
    private int port;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Sets one setting of worker, catalog or gateway.")
    private Map<String, String> settings = new LinkedHashMap<>();

    RunCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        RunOptions options = new RunOptions(bundle, file(calls), file(results), Optional.ofNullable(agent),
                Optional.ofNullable(workspace), timeout, PortOption.check(port), settings);
        return new BatchRun(options, context.terminal(), System.in).run();
    }

    private static Optional<Path> file(Path path) {
        return path.equals(STANDARD) ? Optional.empty() : Optional.of(path);
    }
}
