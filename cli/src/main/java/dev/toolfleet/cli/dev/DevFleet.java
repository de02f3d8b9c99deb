package dev.toolfleet.cli.dev;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.catalog.http.CatalogServer;
import dev.toolfleet.cli.console.FleetCommands;
import dev.toolfleet.cli.fleet.DemoBundle;
import dev.toolfleet.cli.fleet.FleetPlan;
import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.gateway.app.GatewayConfig;
import dev.toolfleet.publishing.apply.AppliedRevision;
import dev.toolfleet.publishing.apply.ApplyException;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.sessions.http.SessionServer;

/// `toolfleet dev`, from start to Ctrl-C.
public final class DevFleet {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(40);

    private final Terminal terminal;
    private final Style style;
    private final List<Path> folders;
    private final int port;
    private final Optional<Path> data;
    private final Map<String, String> settings;

    /// A fleet that has not started.
    ///
    /// @param folders of the bundles; none takes the demo's
    public DevFleet(Terminal terminal, List<Path> folders, int port, Optional<Path> data,
            Map<String, String> settings) {
        this.terminal = terminal;
        this.style = new Style(terminal.colour());
        this.folders = List.copyOf(folders);
        this.port = port;
        this.data = data;
        this.settings = withHttp(settings, port);
    }

    /// A free port for the broker means free ports for all. The worker's, and the one between gateways, are always free
    /// ones: no document names them.
    private static Map<String, String> withHttp(Map<String, String> settings, int port) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putIfAbsent(OneJvmFleet.HTTP_PORT, Integer.toString(port == 0 ? 0 : CatalogServer.DEFAULT_PORT));
        all.putIfAbsent(OneJvmFleet.WORKER_HTTP_PORT, "0");
        all.putIfAbsent(OneJvmFleet.SESSION_HTTP_PORT, Integer.toString(port == 0 ? 0 : SessionServer.DEFAULT_PORT));
        all.putIfAbsent(OneJvmFleet.GATEWAY_HTTP_PORT, Integer.toString(port == 0 ? 0 : GatewayConfig.DEFAULT_PORT));
        return Map.copyOf(all);
    }

    /// Runs until a signal comes.
    public int run() {
        OneJvmFleet.check(settings);
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE); TempFolder temporary = TempFolder.create()) {
            Map<Path, BundleReport> reports = reports(temporary.path());
            List<LocalBundle> bundles = reports.values().stream().map(LocalBundle::calledLikeItsFolder).toList();
            Path workspace = TempFolder.writable(
                    data.map(folder -> folder.resolve("workspace")).orElse(temporary.path().resolve("workspace")),
                    "the workspace");
            FleetPlan plan = new FleetPlan(port, data.map(folder -> folder.resolve("kafka")), workspace,
                    broker -> bundles, settings, Optional.empty(), Optional.of(FleetCommands::console));
            try (ProgressNote progress = new ProgressNote(terminal);
                    OneJvmFleet fleet = OneJvmFleet.start(plan, progress)) {
                greet(fleet, workspace, bundles);
                List<BundleWatch> watches = new ArrayList<>();
                reports.forEach((folder, report) -> watches.add(new BundleWatch(folder, report)));
                while (!stop.await(LOOK_EVERY))
                    watches.forEach(watch -> watch.look().ifPresent(report -> applyAgain(fleet, report)));
                terminal.note("toolfleet: stopping ...");
            }
        }
        return Failure.SUCCESS;
    }

    private Map<Path, BundleReport> reports(Path temporary) {
        Map<Path, BundleReport> reports = new LinkedHashMap<>();
        List<Path> all = folders.isEmpty() ? List.of(DemoBundle.in(temporary.resolve("bundle")).folder()) : folders;
        all.forEach(folder -> reports.put(folder, BundleCheck.check(folder)));
        return reports;
    }

    private void applyAgain(OneJvmFleet fleet, BundleReport report) {
        try {
            AppliedRevision revision = fleet.apply(LocalBundle.calledLikeItsFolder(report));
            if (revision.changes())
                revision.lines().forEach(terminal::print);
        } catch (ApplyException e) {
            terminal.note("toolfleet: " + e.getMessage());
            terminal.note("toolfleet: the revision before stays active");
        }
    }

    private void greet(OneJvmFleet fleet, Path workspace, List<LocalBundle> bundles) {
        terminal.print(style.paint(Style.Tone.BOLD, "Toolfleet is running.") + " Ctrl-C stops it.");
        terminal.print("  broker     " + fleet.bootstrapServers() + " (this machine only, no encryption)");
        fleet.gatewayUrl().ifPresent(url -> terminal.print("  gateway    " + url + " (HTTP)"));
        fleet.consoleUrl().ifPresent(url -> terminal.print("  console    " + url + " (in your browser)"));
        fleet.sessionUrl().ifPresent(url -> terminal.print("  sessions   " + url + " (HTTP)"));
        fleet.catalogUrl().ifPresent(url -> terminal.print("  catalogs   " + url + "/v1/agents (HTTP)"));
        fleet.workerUrl().ifPresent(url -> terminal.print("  worker     " + url + "/metrics (HTTP)"));
        terminal.print("  workspace  " + workspace);
        for (LocalBundle bundle : bundles) {
            AppliedRevision revision = fleet.applied().get(bundle.name());
            terminal.print("  bundle     " + bundle.name() + ", revision "
                    + (revision == null ? "?" : revision.revision()) + ", " + bundle.folder());
        }
        firstAgent(bundles).ifPresent(agent -> {
            terminal.print("");
            terminal.print("Try, in another terminal:");
            terminal.print("  " + Terminal.command() + " call " + sample(bundles, agent) + " --agent " + agent.name()
                    + " --bootstrap "
                    + fleet.bootstrapServers());
            fleet.gatewayUrl().ifPresent(url -> terminal.print("  curl -H 'Content-Type: application/json'"
                    + " -d '{\"turnId\": \"t1\", \"stepId\": \"s1\"}' " + url + "/v1/instances/i1/agents/"
                    + agent.name()
                    + "/steps"));
        });
        terminal.print("");
    }

    private static Optional<AgentSpec> firstAgent(List<LocalBundle> bundles) {
        return bundles.stream().flatMap(bundle -> bundle.bundle().ofKind(Kinds.AGENT).stream())
                .map(agent -> AgentSpec.of(agent.document())).filter(agent -> !agent.tools().isEmpty()).findFirst();
    }

    private static String sample(List<LocalBundle> bundles, AgentSpec agent) {
        String tool = agent.tools().getFirst().name();
        if (tool.equals("bash"))
            return "bash__exec '{\"command\": \"date\"}'";
        return bundles.stream().flatMap(bundle -> bundle.bundle().find(Kinds.TOOL, tool).stream())
                .map(found -> ToolSpec.of(found.document()))
                .map(spec -> spec.fullName(spec.exports().getFirst()) + " '{}'").findFirst().orElse(tool);
    }
}
