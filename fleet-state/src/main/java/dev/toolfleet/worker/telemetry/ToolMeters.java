package dev.toolfleet.worker.telemetry;

import java.util.function.Supplier;

import dev.toolfleet.wire.ToolRef;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;

/// Metrics of one tool that has limits. Thread-safe.
public final class ToolMeters {
    private final RegisteredMeters meters;
    private final String tool;

    ToolMeters(RegisteredMeters meters, String tool) {
        this.meters = meters;
        this.tool = tool;
    }

    /// Returns the name of a tool in tags.
    static String name(ToolRef ref) {
        return ref.bundle() + "/" + ref.tool() + "__" + ref.export();
    }

    /// Registers the values that are read on demand.
    ///
    /// @param used slots that are taken
    /// @param waiting calls that wait
    /// @param breaker 0 closed, 1 trying, 2 open
    public void register(Supplier<Number> used, Supplier<Number> waiting, Supplier<Number> breaker) {
        gauge(WorkerMeters.LIMITS_USED, "slots of the tool that are taken", used);
        gauge(WorkerMeters.LIMITS_WAITING, "calls that wait for their turn", waiting);
        gauge(WorkerMeters.LIMITS_BREAKER, "the tool's circuit breaker: 0 closed, 1 trying, 2 open", breaker);
    }

    private void gauge(String name, String what, Supplier<Number> value) {
        meters.registered(
                Gauge.builder(name, value).tag(WorkerMeters.TOOL, tool).description(what).register(meters.registry()));
    }

    /// Counts a call that did not start.
    public void refused(Refused why) {
        count(Counter.builder(WorkerMeters.LIMITS_REFUSED).description("calls that a limit kept from starting")
                .tag(WorkerMeters.REASON, why.tag));
    }

    /// Counts an opening of the breaker.
    public void breakerOpened() {
        count(Counter.builder(WorkerMeters.LIMITS_BREAKER_OPENED)
                .description("openings of the tool's circuit breaker"));
    }

    /// Counts a repeated start of a handler for the same call.
    public void retried() {
        count(Counter.builder(WorkerMeters.CALLS_RETRIED).description("starts that were not the first of their call"));
    }

    private void count(Counter.Builder counter) {
        meters.registered(counter.tag(WorkerMeters.TOOL, tool).register(meters.registry())).increment();
    }

    /// Reason why a call did not start.
    public enum Refused {
        /// It could not start in time at the tool's rate.
        RATE("rate"),
        /// The tool's circuit breaker is open.
        CIRCUIT("circuit"),
        /// Its deadline passed while it waited.
        DEADLINE("deadline");

        private final String tag;

        Refused(String tag) {
            this.tag = tag;
        }
    }
}
