package dev.toolfleet.cli.call;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.cli.bundle.BuiltInBundle;
import dev.toolfleet.cli.bundle.BundleCheck;
import dev.toolfleet.cli.bundle.LocalBundle;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.script.DefaultAgent;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.LocalFleet;
import dev.toolfleet.worker.app.WorkerConfig;

/// One call through the worker's pipeline in this JVM, without a broker.
public final class LocalCall {
    private final Path folder;
    private final Terminal terminal;

    /// Calls tools of the bundle in this folder, and built-in ones.
    public LocalCall(Path folder, Terminal terminal) {
        this.folder = folder;
        this.terminal = terminal;
    }

    /// Calls, and prints the result as JSON.
    ///
    /// @param settings of `worker`
    /// @return 0 when the result is ok, 1 when it is an error
    public int call(OneCall one, Map<String, String> settings) throws InterruptedException {
        LocalBundle bundle = LocalBundle.calledLikeItsFolder(BundleCheck.check(folder));
        String agent = switch (bundle.defaultAgent(one.agent().orElse(null))) {
            case DefaultAgent.Named named -> named.name();
            case DefaultAgent.Unknown unknown -> throw Failure.invalid(unknown.reason());
        };
        try (TempFolder temporary = TempFolder.create();
                LocalFleet fleet = new LocalFleet(config(settings, temporary.path(), bundle), entries(bundle))) {
            if (!fleet.problems().isEmpty())
                throw Failure.failed("the bundle cannot be loaded: " + fleet.problems());
            ToolResult result = fleet.call(one.inStepOf(agent), one.timeout());
            terminal.print(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(result));
            return result.status() == ResultStatus.ERROR ? Failure.FAILED : Failure.SUCCESS;
        } catch (TimeoutException e) {
            throw Failure.failed("the call has no result after " + one.timeout().toSeconds() + " s (--timeout)", e);
        }
    }

    private static List<RevisionPlan.Entry> entries(LocalBundle bundle) {
        List<RevisionPlan.Entry> entries = new ArrayList<>();
        for (LocalBundle each : List.of(BuiltInBundle.read(), bundle))
            entries.addAll(RevisionPlan.of(each.name(), each.declared(), new ResourceTable()).entries());
        return entries;
    }

    private static WorkerConfig config(Map<String, String> settings, Path temporary, LocalBundle bundle) {
        Map<String, String> flags = new HashMap<>(settings);
        flags.putIfAbsent("worker.workspace.root", temporary.resolve("workspace").toString());
        flags.putIfAbsent("worker.catalog.mode", "agent");
        FleetConfig config = FleetConfig.load(null, Map.of(), flags);
        return WorkerConfig.of(config.kafka(), config.topics().topics(), config.worker(), "local",
                name -> name.equals(bundle.name()) ? bundle.folder() : temporary);
    }
}
