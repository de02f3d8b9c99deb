package dev.toolfleet.cli.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

import dev.toolfleet.cli.access.RoleGranter;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.client.topics.PartitionCounts;
import dev.toolfleet.client.topics.TopicRole;
import dev.toolfleet.client.topics.TopicsReport;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.config.TopicsConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "topics", header = "Creates and checks the fleet's topics, and who may use them.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Examples:", "  toolfleet topics create --bootstrap broker:9092 --partitions 24 --replication 3",
        "  toolfleet topics check --config fleet.yaml"})
final class TopicsCommand extends CommandGroup {
    TopicsCommand(CommandContext context) {
        super(context, "what about the topics? There is: toolfleet topics create, toolfleet topics check,"
                + " toolfleet topics acl");
    }

    /// `topics check`; what a worker and the catalog service check when they start.
    @Command(name = "check", header = "Checks that the topics are as the fleet needs them, and changes nothing.", description = {
            "", "That they exist, have the partitions that were recorded, are compacted or not, accept large enough"
                    + " records, and that this login may read and write what the role has to. Every problem comes with the"
                    + " command that repairs it."}, footer = {"", "Examples:",
                            "  toolfleet topics check --config fleet.yaml",
                            "  toolfleet topics check --role catalog --config catalog.yaml", "",
                            "Exit codes: 0 all is well, 1 it is not, or the brokers cannot be asked, 2 usage."})
    int check(@Mixin FleetOptions fleet,
            @Option(names = "--role", paramLabel = "ROLE", defaultValue = "worker", description = "Whose rights: worker, catalog, gateway or session (default: worker).") String role) {
        TopicRole wanted = Arrays.stream(TopicRole.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(role)).findFirst()
                .orElseThrow(() -> Failure
                        .invalid("--role is '" + role + "'; there are worker, catalog, gateway and session"));
        FleetConfig config = fleet.load(context().environment());
        PartitionCounts counts = new FleetTopics(config.topics().topics(), config.kafka().clientProperties(),
                FleetTopics.DEFAULT_TIMEOUT).check(wanted);
        context().terminal().print("the topics are as " + wanted.what() + " needs them; " + counts.groupA()
                + " partitions");
        return Failure.SUCCESS;
    }

    /// `topics create`; leaves alone what exists, so it may be run at every deployment.
    @Command(name = "create", header = "Creates the topics that are missing, and leaves the others alone.", description = {
            "", "The topics that follow a call's partition share one partition count. It and that of tool.pending are"
                    + " fixed once they exist."}, footer = {"", "Examples:",
                            "  toolfleet topics create --bootstrap broker:9092 --partitions 24 --replication 3",
                            "  toolfleet topics create --set topics.prefix=acme."})
    int create(@Mixin FleetOptions fleet,
            @Option(names = "--partitions", paramLabel = "N", description = "Partitions of each topic (the setting topics.partitions; default: 12).") @Nullable Integer partitions,
            @Option(names = "--pending-partitions", paramLabel = "N", description = "Partitions of tool.pending, when it is to have others (default: as the other topics).") @Nullable Integer pending,
            @Option(names = "--replication", paramLabel = "N", description = "Copies of each partition (the setting topics.replication; default: the broker's).") @Nullable Integer replication) {
        FleetConfig config = fleet.load(context().environment());
        TopicsConfig topics = new TopicsConfig(config.topics().prefix(),
                partitions == null ? config.topics().partitions() : partitions,
                replication == null ? config.topics().replication() : replication);
        FleetTopics fleetTopics = new FleetTopics(topics.topics(), config.kafka().clientProperties(),
                FleetTopics.DEFAULT_TIMEOUT).withNewPartitions(topics.partitions());
        TopicsReport report = (pending == null ? fleetTopics : fleetTopics.withPendingPartitions(pending))
                .create(partitions == null ? OptionalInt.empty() : OptionalInt.of(partitions),
                        topics.replication() == TopicsConfig.BROKER_DEFAULT
                                ? OptionalInt.empty()
                                : OptionalInt.of(topics.replication()));
        report.created().forEach(name -> context().terminal().print("created " + name));
        context().terminal().print(report.created().size() + " topics created, " + report.existing().size()
                + " were there already");
        return Failure.SUCCESS;
    }

    /// `topics acl`; takes no right away, so it may be run at every deployment.
    @Command(name = "acl", header = "Gives a principal the Kafka ACLs of a role.", description = {"",
            "Creates those that are missing and leaves alone what exists. What it runs as (kafka.properties) has to be"
                    + " one of the brokers' super users, or to have Describe and Alter on the cluster. A principal may"
                    + " have several roles. docs/security.md says what each may do, and what that protects.",
            "", "Roles:",
            "  runtime   announces steps, calls tools, cancels calls, and reads their results",
            "  tool      reports progress and outcome of work that finishes later",
            "  approver  reads the calls that wait for approval, and decides",
            "  analyst   reads events, results and reasons, and writes nothing",
            "  operator  reads the analyst's topics, cancels calls, helps lanes, switches tools"
                    + " off, and handles dead letters",
            "  deployer  creates topics and applies bundles",
            "  worker    runs calls: the workers of the fleet",
            "  catalog   answers steps with their catalogs: the catalog services of the fleet",
            "  gateway   calls, completes and decides for clients that speak HTTP: the gateways of the fleet",
            "  session   keeps the messages of sessions: the session services of the fleet"}, footer = {
                    "",
                    "Examples:",
                    "  toolfleet topics acl --role worker --principal User:toolfleet-worker --config fleet.yaml",
                    "  toolfleet topics acl --role runtime --principal User:chat --group chat-agents",
                    "  toolfleet topics acl --role tool --principal 'User:CN=build-farm,O=acme' --dry-run", "",
                    "Exit codes: 0 success; 1 the brokers did not let it, or have no authorizer; 2 usage."})
    int acl(@Mixin FleetOptions fleet,
            @Option(names = "--role", required = true, paramLabel = "ROLE", description = "One of the roles above.") String role,
            @Option(names = "--principal", required = true, paramLabel = "TYPE:NAME", description = "Who gets the rights, as the brokers call it, such as User:chat.") String principal,
            @Option(names = "--group", paramLabel = "GROUP", description = "A consumer group of a runtime's or an analyst's own, or 'NAME*' for all that begin so. May be repeated.") @Nullable List<String> groups,
            @Option(names = "--dry-run", description = "Asks no broker, and prints the commands of Kafka's own tool that would do it.") boolean dryRun,
            @Option(names = "--json", description = "Prints {role, principal, created: [...], existing: [...]}, with --dry-run {role, principal, acls: [...]}.") boolean json) {
        return new RoleGranter(fleet.open(context()), json).grant(role, principal,
                groups == null ? List.of() : groups, dryRun);
    }
}
