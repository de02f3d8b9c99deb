package dev.toolfleet.bench.command;

import java.time.Duration;
import java.util.concurrent.Callable;

import dev.toolfleet.bench.gateway.GatewayOptions;
import dev.toolfleet.bench.gateway.GatewayRun;
import dev.toolfleet.cli.command.CommandContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "gateway", header = "Measures what a gateway adds to the Kafka client, and what it costs.", description = {
        "",
        "Starts a broker, a worker and a gateway as processes of their own, on 127.0.0.1 and with temporary data. The"
                + " Kafka client of an agent runtime and the gateway take turns. First, clients call without a pause: that"
                + " is the capacity. Then calls come evenly, at 10 and at 70 %% of the gateway's capacity, and their times"
                + " are compared. Then streams of events are opened, and the gateway's memory is looked at. At last the"
                + " gateway stops, and the files of its read model are weighed."}, footer = {"", "Examples:",
                        "  toolfleet bench gateway", "  toolfleet bench gateway --report docs/performance.md",
                        "  toolfleet bench gateway --rounds 1 --seconds 5 --streams 1000", "",
                        "Exit codes: 0 every call had its own answer; 1 not so, or the run could not be done;",
                        "2 an option cannot be used."})
final class BenchGatewayCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ReportOptions destinations = new ReportOptions();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "How often each measures; the table has the medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "15", description = "How long each measures in a round (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "64", description = "How many clients call without a pause (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--streams", paramLabel = "N", defaultValue = "10000", description = "How many streams are open at a time; each takes a file descriptor of this process and one of the gateway's (default: ${DEFAULT-VALUE}).")
    private int streams;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "200", description = "Of the text that each call carries and its result repeats (default: ${DEFAULT-VALUE}).")
    private int bytes;

    BenchGatewayCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        GatewayOptions options = BenchRun.options(
                () -> new GatewayOptions(rounds, Duration.ofSeconds(seconds), clients, streams, bytes));
        return new ComparisonBench(destinations.output(spec), context.terminal())
                .run((folder, progress) -> new GatewayRun(options, folder, progress).run());
    }
}
