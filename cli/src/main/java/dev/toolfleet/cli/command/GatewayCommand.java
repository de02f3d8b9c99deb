package dev.toolfleet.cli.command;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.console.FleetCommands;
import dev.toolfleet.cli.fleet.GatewaySettings;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Logs;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.gateway.app.GatewayPages;
import dev.toolfleet.gateway.app.GatewayService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "gateway", header = "Runs one gateway of a fleet until it is told to stop.", description = {"",
        "A gateway serves clients that speak HTTP: they announce steps, call tools, follow and cancel calls, complete"
                + " handles and decide (gateway.http.port, default 7072). Gateways of one group answer every request"
                + " alike: start as many as you like, behind any proxy.",
        "",
        "It also serves the console at /console: pages in which people see what the fleet does, and act on it"
                + " (gateway.console=off for none).",
        "",
        "Without gateway.principals it serves this machine alone, and every program on it; with them, each request"
                + " carries the token of one, and gateway.http.address may be 0.0.0.0. Other gateways read at"
                + " gateway.internal.port (default 7073)."}, footer = {"",
                        "Examples:",
                        "  toolfleet gateway --config fleet.yaml",
                        "  toolfleet gateway --bootstrap broker:9092 --set gateway.stateDir=/var/lib/toolfleet/gateway",
                        "  toolfleet gateway --set gateway.http.port=7082 --set gateway.internal.port=7083",
                        "  curl http://127.0.0.1:7072/health/ready",
                        "  curl -H 'Content-Type: application/json' -d '{\"turnId\": \"t1\", \"stepId\": \"s1\"}' \\",
                        "    http://127.0.0.1:7072/v1/instances/i1/agents/coder/steps"})
final class GatewayCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayCommand.class);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    private final CommandContext context;

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    GatewayCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Logs.SERVICE.apply();
        FleetConfig settings = fleet.load(context.environment());
        GatewayConfig config = GatewaySettings.of(settings)
                .orElseThrow(() -> Failure.invalid("gateway.http.port is off: a gateway without HTTP serves nobody"));
        TempFolder.writable(config.readModel().stateDir(), "gateway.stateDir");
        GatewayPages pages = GatewaySettings.hasConsole(settings)
                ? FleetCommands.console(settings, List::of)
                : GatewayPages.NONE;
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE);
                GatewayService service = new GatewayService(config, pages)) {
            service.start();
            if (config.access().principals().isEmpty())
                LOG.atWarn().log("gateway has no principals: it serves this machine alone, and every program on it");
            ReadinessLog readiness = new ReadinessLog("gateway");
            ServiceCommand.await(stop, service.stopped(), "the gateway", () -> {
                readiness.look(service.notReady());
                return false;
            });
        }
        return Failure.SUCCESS;
    }
}
