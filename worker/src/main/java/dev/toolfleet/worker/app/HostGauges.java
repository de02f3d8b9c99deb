package dev.toolfleet.worker.app;

import dev.toolfleet.bundle.HostKind;
import dev.toolfleet.hosts.Hosts;
import dev.toolfleet.hosts.Hosts.ProcessState;
import dev.toolfleet.worker.telemetry.WorkerMeters;

/// Metrics of the processes that run handlers in other languages than Java.
public final class HostGauges {
    /// Gauge, by [#KIND]: processes that take calls.
    public static final String PROCESSES = "toolfleet.hosts.processes";
    /// Gauge: calls at work in them.
    public static final String CALLS = "toolfleet.hosts.calls";
    /// Gauge: bytes of memory that they had at the last look, at most 10 s ago.
    public static final String MEMORY = "toolfleet.hosts.memory";
    /// Counter: processes that were started, restarts included.
    public static final String STARTS = "toolfleet.hosts.starts";
    /// Gauge: hosts that are paused, because their processes ended too often.
    public static final String PAUSED = "toolfleet.hosts.paused";
    /// The tag of [#PROCESSES]: `node`, `python` or `process`.
    public static final String KIND = "kind";

    private HostGauges() {}

    static void register(WorkerMeters meters, Hosts hosts) {
        for (HostKind kind : HostKind.values())
            meters.gauge(PROCESSES, "processes of hosts, by kind", KIND, kind.text(),
                    () -> hosts.processes().stream().filter(each -> each.kind().equals(kind.text())).count());
        meters.gauge(CALLS, "calls at work in hosts",
                () -> hosts.processes().stream().mapToInt(ProcessState::inFlight).sum());
        meters.gauge(MEMORY, "bytes of memory of hosts",
                () -> hosts.processes().stream().mapToLong(ProcessState::rss).sum());
        meters.count(STARTS, "processes of hosts that were started", hosts::starts);
        meters.gauge(PAUSED, "hosts that are paused", () -> hosts.refusals().size());
    }
}
