package dev.toolfleet.worker.app;

import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import dev.toolfleet.hosts.Hosts;
import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.bridge.BridgeGauges;
import dev.toolfleet.worker.bridge.McpExtension;
import dev.toolfleet.worker.bridge.ServerPool;
import dev.toolfleet.worker.catalog.CatalogGate;
import dev.toolfleet.worker.catalog.Catalogs;
import dev.toolfleet.worker.execute.HandlerRoom;
import dev.toolfleet.worker.execute.Workspace;
import dev.toolfleet.worker.guard.FleetGuard;
import dev.toolfleet.worker.guard.FleetSecrets;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.limit.WorkerLimits;
import dev.toolfleet.worker.override.Overrides;
import dev.toolfleet.worker.pipeline.CallPipelines;
import dev.toolfleet.worker.pipeline.HandlerCalls;
import dev.toolfleet.worker.record.Records;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import dev.toolfleet.worker.tools.skills.SkillsExtension;

/// Rooms that a call passes through, without the Kafka clients around them: the same with a broker and without one.
final class CallParts implements AutoCloseable {
    private final Catalogs catalogs = new Catalogs();
    private final HandlerRoom handlers;
    private final Records records;
    private final Overrides overrides;
    private final ServerPool servers;
    private final Hosts hosts;
    private final ToolRegistry registry;
    private final WorkerLimits limits;
    private final ResultGuard guard;
    private final TraceExport tracing;
    private final CallPipelines pipelines;

    /// Parts of the process that calls reach.
    ///
    /// @param restarts what ends it
    /// @param sandbox where programs of tools run
    /// @param workspace folders of instances
    /// @param agents how calls speak to agents
    /// @param oauth grants of people
    /// @param changesets changes of bundles by agents
    record Host(Restarts restarts, Sandbox sandbox, Workspace workspace, HandlerCalls.Agents agents,
            OAuthRoom oauth, ChangesetRoom changesets) {}

    CallParts(WorkerConfig config, Ownership ownership, PartitionStates states, Host host,
            CatalogGate.CatchUp catchUp, InstantSource clock, WorkerMeters meters) {
        WorkerConfig.Calls calls = config.calls();
        this.handlers = new HandlerRoom(ownership, clock, meters);
        this.tracing = TraceExport.of(calls.tracing(), config.identity().name());
        this.records = new Records(config.topics(), config.identity().name(), calls.helpBaseUrl(), clock, meters);
        this.overrides = new Overrides(handlers, records.writer(), clock, meters);
        this.servers = new ServerPool(new ServerPool.Host(host.sandbox(), config.folders().workspace(),
                calls.egress().list(), System.getenv(), config.identity().registrationLease()));
        BridgeGauges.register(meters, servers);
        this.hosts = new Hosts(config.code().hosts(), System.getenv(),
                Objects.requireNonNullElse(CallParts.class.getPackage().getImplementationVersion(), "unknown"),
                host.sandbox(), config.folders().workspace());
        HostGauges.register(meters, hosts);
        SelectableTools selectable = new SelectableTools(() -> registry().resources(), clock);
        this.registry = new ToolRegistry(FleetModules.of(config.folders().bundles(), selectable,
                host.restarts(), host.sandbox(), config.folders().workspace(), calls.egress().list(),
                () -> new SkillsExtension(selectable::shelf, CallParts::isSet), () -> new McpExtension(servers),
                config.code().ceilings(), hosts,
                host.changesets()::module, host.oauth()::tokens),
                config.folders().trust(), calls.extensions(), clock, this::changed);
        this.limits = new WorkerLimits(registry, states::pending, clock, System::nanoTime,
                Runtime.getRuntime().availableProcessors(), meters);
        states.tell(limits::freed);
        CatalogGate catalog = catalogs.gate(calls.catalogMode(), calls.catalogWait(), registry, catchUp);
        this.guard = new FleetGuard(registry::resources,
                new FleetSecrets(config.kafka().properties(), System.getenv()), host.oauth().issued(),
                Records.MAX_OUTPUT);
        this.pipelines = new CallPipelines(
                new CallPipelines.Setup(calls.defaultTimeout(), calls.approvalTimeout(), calls.maxOpenApprovals(),
                        calls.loops(), config.identity().sessionTimeout().dividedBy(2)),
                new CallPipelines.Rooms(registry, catalog, limits, guard, records, handlers, overrides,
                        host.oauth().desk()),
                ownership,
                host.workspace(), host.agents(), tracing.traces(), clock, meters);
    }

    private static boolean isSet(String variable) {
        return !Objects.requireNonNullElse(System.getenv(variable), "").isEmpty();
    }

    private void changed() {
        catalogs.changed();
        limits.changed();
    }

    Catalogs catalogs() {
        return catalogs;
    }

    ResultGuard guard() {
        return guard;
    }

    ToolRegistry registry() {
        return registry;
    }

    WorkerLimits limits() {
        return limits;
    }

    HandlerRoom handlers() {
        return handlers;
    }

    /// Returns the reason for each Tool and host that cannot run, by its name.
    Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>(registry.problems());
        problems.putAll(hosts.refusals());
        return problems;
    }

    Hosts hosts() {
        return hosts;
    }

    Records records() {
        return records;
    }

    Overrides overrides() {
        return overrides;
    }

    CallPipelines pipelines() {
        return pipelines;
    }

    boolean isReadOnly(Arrival arrival) {
        return switch (arrival) {
            case Arrival.Call call -> registry.readOnly(call.call().name());
            case Arrival.Granted granted -> registry.readOnly(granted.call().call().name());
            case Arrival.Malformed _ -> false;
        };
    }

    @Override
    public void close() {
        handlers.close();
        registry.close();
        servers.close();
        hosts.close();
        tracing.close();
    }
}
