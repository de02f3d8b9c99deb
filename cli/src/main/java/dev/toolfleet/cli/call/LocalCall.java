package dev.toolfleet.cli.call;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.cli.fleet.LoadProblems;
import dev.toolfleet.cli.fleet.LocalWorker;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.script.DefaultAgent;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.StopSignal;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BuiltInBundle;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.LocalFleet;
import dev.toolfleet.worker.app.WorkerConfig;

/// One call through the worker's pipeline in this JVM, without a broker.
public final class LocalCall {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    private final Path folder;
    private final Terminal terminal;

    /// Calls tools of the bundle in this folder, and built-in ones.
    public LocalCall(Path folder, Terminal terminal) {
        this.folder = folder;
        this.terminal = terminal;
    }

    /// Calls, and prints the result as JSON.
    ///
    /// @param config whose section `worker` counts
    /// @return 0 when the result is ok, 1 when it is an error
    public int call(OneCall one, FleetConfig config) throws InterruptedException {
        LocalBundle bundle = LocalBundle.calledLikeItsFolder(BundleCheck.check(folder));
        String agent = switch (DefaultAgent.of(bundle, one.agent().orElse(null))) {
            case DefaultAgent.Named named -> named.name();
            case DefaultAgent.Unknown unknown -> throw Failure.invalid(unknown.reason());
        };
        try (StopSignal stop = StopSignal.install(STOP_PATIENCE); TempFolder temporary = TempFolder.create()) {
            return call(one.inStepOf(agent), one.timeout(), LocalWorker.config(config, temporary.path(), bundle),
                    bundle, stop);
        }
    }

    private int call(ToolCall call, Duration timeout, WorkerConfig worker, LocalBundle bundle, StopSignal stop)
            throws InterruptedException {
        try (LocalFleet fleet = new LocalFleet(worker, entries(bundle))) {
            if (!fleet.problems().isEmpty())
                throw LoadProblems.failure(fleet.problems());
            ToolResult result = fleet.call(call, timeout);
            terminal.print(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(result));
            return result.status() == ResultStatus.ERROR ? Failure.FAILED : Failure.SUCCESS;
        } catch (TimeoutException e) {
            throw Failure.failed("the call has no result after " + timeout.toSeconds() + " s (--timeout)", e);
        } catch (InterruptedException e) {
            if (!stop.asked())
                throw e;
            throw Failure.failed("the call was stopped before it had its result", e);
        }
    }

    private static List<RevisionPlan.Entry> entries(LocalBundle bundle) {
        List<RevisionPlan.Entry> entries = new ArrayList<>();
        for (LocalBundle each : List.of(BuiltInBundle.read(), bundle))
            entries.addAll(RevisionPlan.of(each.name(), each.declared(), new ResourceTable()).entries());
        return entries;
    }
}
