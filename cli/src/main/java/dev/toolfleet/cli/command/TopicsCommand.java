package dev.toolfleet.cli.command;

import java.util.OptionalInt;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.TopicsReport;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.TopicsConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "topics", header = "Creates and checks the fleet's topics.", synopsisSubcommandLabel = "COMMAND")
final class TopicsCommand implements Runnable {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    TopicsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public void run() {
        CommandLine line = spec == null ? new CommandLine(this) : spec.commandLine();
        throw new ParameterException(line, "what about the topics? There is: toolfleet topics create");
    }

    /// `topics create`; leaves alone what exists, so it may be run at every deployment.
    @Command(name = "create", header = "Creates the topics that are missing, and leaves the others alone.", description = {
            "", "The topics that follow a call's partition share one partition count, which is fixed"
                    + " once they exist."}, footer = {"", "Examples:",
                            "  toolfleet topics create --bootstrap broker:9092 --partitions 24 --replication 3",
                            "  toolfleet topics create --set topics.prefix=acme."})
    int create(@Mixin FleetOptions fleet,
            @Option(names = "--partitions", paramLabel = "N", description = "Partitions of each topic (the setting topics.partitions; default: 12).") @Nullable Integer partitions,
            @Option(names = "--replication", paramLabel = "N", description = "Copies of each partition (the setting topics.replication; default: the broker's).") @Nullable Integer replication) {
        FleetConfig config = fleet.load(context.environment());
        TopicsConfig topics = new TopicsConfig(config.topics().prefix(),
                partitions == null ? config.topics().partitions() : partitions,
                replication == null ? config.topics().replication() : replication);
        TopicsReport report = new FleetTopics(topics.topics(), config.kafka().clientProperties(),
                FleetTopics.DEFAULT_TIMEOUT).withNewPartitions(topics.partitions())
                .create(partitions == null ? OptionalInt.empty() : OptionalInt.of(partitions),
                        topics.replication() == TopicsConfig.BROKER_DEFAULT
                                ? OptionalInt.empty()
                                : OptionalInt.of(topics.replication()));
        report.created().forEach(name -> context.terminal().print("created " + name));
        context.terminal().print(report.created().size() + " topics created, " + report.existing().size()
                + " were there already");
        return Failure.SUCCESS;
    }
}
