package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.embedded.EmbeddedKafka;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "broker", header = "Runs a broker alone until Ctrl-C, for development.", description = {"",
        "Listens on 127.0.0.1 only, without encryption and passwords, as one node that keeps no copies: not for a fleet"
                + " that counts. A broker that is started again on its data goes on with it. Create the topics next, then"
                + " start workers and catalog services as processes of their own."}, footer = {"", "Examples:",
                        "  toolfleet broker --data .toolfleet/kafka",
                        "  toolfleet topics create --bootstrap 127.0.0.1:9092 --partitions 12 --replication 1"})
final class BrokerCommand implements Callable<Integer> {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(40);

    private final CommandContext context;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "Keeps the topics there; created when absent.")
    private Path data = Path.of("");

    @Option(names = "--port", paramLabel = "N", description = "The broker's port; 0 picks a free one, which the same --data has again (default: 9092).")
    private int port = 9092;

    BrokerCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        EmbeddedKafkaConfig config = EmbeddedKafkaConfig.temporary().withPort(PortOption.check(port)).withData(data);
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE); EmbeddedKafka broker = EmbeddedKafka.start(config)) {
            context.terminal().print("kafka.bootstrap " + broker.bootstrapServers());
            context.terminal().note("toolfleet: the broker runs, with its data in " + broker.folder()
                    + "; Ctrl-C stops it");
            stop.await();
            context.terminal().note("toolfleet: stopping ...");
        }
        return 0;
    }
}
