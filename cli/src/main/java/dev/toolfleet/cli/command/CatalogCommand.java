package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.toolfleet.catalog.app.CatalogConfig;
import dev.toolfleet.catalog.app.CatalogService;
import dev.toolfleet.cli.catalog.CatalogViewer;
import dev.toolfleet.cli.fleet.CatalogSettings;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Logs;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.config.FleetConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "catalog", synopsisSubcommandLabel = "[COMMAND]", header = "Runs one catalog service of a fleet until it is told to stop; or shows catalogs.", description = {
        "",
        "It answers each step that is announced on agent.step with the tools that its model may see."
                + " Services of one group share the work. It tells catalogs, resources, agents, health and metrics"
                + " over HTTP (catalog.http.port, default 7070 on this machine alone; off for none).",
        "",
        "With a COMMAND it starts no service, and looks at the catalogs of a fleet that runs."}, footer = {"",
                "Examples:",
                "  toolfleet catalog --config fleet.yaml",
                "  toolfleet catalog --bootstrap broker:9092 --set catalog.stateDir=/var/lib/toolfleet",
                "  curl http://127.0.0.1:7070/health/ready",
                "  toolfleet catalog show --instance telegram:123 --bootstrap broker:9092",
                "  toolfleet catalog diff 5f2c9a 81d04e --bootstrap broker:9092"})
final class CatalogCommand implements Callable<Integer> {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);

    private final CommandContext context;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    CatalogCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Logs.SERVICE.apply();
        FleetConfig settings = fleet.load(context.environment());
        CatalogConfig config = CatalogSettings.of(settings);
        TempFolder.writable(config.stateDir(), "the catalog service's folder");
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE);
                CatalogService service = new CatalogService(config, config.bundles()::resolve,
                        CatalogSettings.http(settings))) {
            service.start();
            ServiceCommand.await(stop, service.stopped(), "the catalog service");
        }
        return Failure.SUCCESS;
    }

    /// `catalog show`.
    @Command(name = "show", header = "Shows the tools that the newest step of an instance may see and call.", description = {
            "", "For each agent of the instance: the step, the bundle's revision, the content's digest, how old it is,"
                    + " and the tools in the order in which the model sees them. It reads the fleet's topics and needs"
                    + " no catalog service."}, footer = {"", "Examples:",
                            "  toolfleet catalog show --instance telegram:123",
                            "  toolfleet catalog show --instance telegram:123 --agent coder --json | jq .tools[].name",
                            "",
                            "Exit codes: 0 success, 1 there is none, or the topics cannot be read, 2 usage."})
    int show(@Mixin FleetOptions options,
            @Option(names = "--instance", required = true, paramLabel = "KEY", description = "The instance's key.") String instance,
            @Option(names = "--agent", paramLabel = "NAME", description = "Only this agent of it.") @Nullable String agent,
            @Option(names = "--json", description = "Prints {catalog, tools} as one object a line.") boolean json) {
        return catalogs(options).show(instance, Optional.ofNullable(agent), json);
    }

    /// `catalog diff`.
    @Command(name = "diff", header = "Shows what is different between two catalogs, tool by tool and field by field.", description = {
            "",
            "A catalog is named by the digest of its content, or by the first six digits of it or more; calls and error"
                    + " events carry it, and `catalog show` prints it."}, footer = {"", "Examples:",
                            "  toolfleet catalog diff sha256:5f2c9a sha256:81d04e",
                            "  toolfleet catalog diff 5f2c9a 81d04e --config prod.yaml", "",
                            "Exit codes: 0 they were compared, whether or not they differ; 1 a digest is unknown, or the"
                                    + " topic cannot be read; 2 usage, or digits that fit several contents."})
    int diff(@Mixin FleetOptions options,
            @Parameters(index = "0", paramLabel = "DIGEST1", description = "The earlier content.") String before,
            @Parameters(index = "1", paramLabel = "DIGEST2", description = "The later content.") String after) {
        return catalogs(options).diff(before, after);
    }

    private CatalogViewer catalogs(FleetOptions options) {
        return new CatalogViewer(options.open(context));
    }
}
