package dev.toolfleet.worker.completion;

import java.util.Optional;

import dev.toolfleet.bundle.AsyncSpec;
import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.guard.ResultGuard.GuardedCall;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.StringNode;

/// The tools behind handles, as this worker has loaded them.
///
/// @param guard decides what of their progress is published
record RegistryModules(ToolRegistry registry, ResultGuard guard) implements HandleModules {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryModules.class);

    @Override
    public Optional<PollSpec> poll(ToolRef tool) {
        return export(tool).flatMap(export -> export.execution().async()).flatMap(AsyncSpec::poll);
    }

    @Override
    public boolean sensitive(ToolRef tool) {
        return export(tool).filter(export -> export.policy().accessesSensitiveData()).isPresent();
    }

    /// The export of the newest revision where the one in use does not have it: its code may still be loading here, and have
    /// answered with the handle elsewhere.
    private Optional<ToolExport> export(ToolRef tool) {
        return export(registry.resources(), tool).or(() -> export(registry.declared(), tool));
    }

    private static Optional<ToolExport> export(FleetResources resources, ToolRef tool) {
        return resources.tool(tool).flatMap(spec -> spec.export(tool.export()));
    }

    @Override
    public PollAnswer ask(ToolRef tool, PendingWork work) throws Exception {
        RegisteredTool loaded = acquire(tool);
        try {
            return loaded.module().poll(tool.export(), work);
        } finally {
            loaded.release();
        }
    }

    @Override
    public void cancel(ToolRef tool, PendingWork work) throws Exception {
        RegisteredTool loaded = acquire(tool);
        try {
            loaded.module().cancel(tool.export(), work);
        } finally {
            loaded.release();
        }
    }

    @Override
    public Progress shown(PendingCall call, Progress progress) {
        String message = progress.message();
        if (message == null)
            return progress;
        CallOrigin origin = call.origin();
        ToolRef ref = origin == null ? null : origin.tool();
        try {
            ToolReply guarded = guard.guard(new GuardedCall(call.call().name(), call.call().agentName(), ref),
                    new ToolReply.Ok(StringNode.valueOf(message))).reply();
            if (guarded instanceof ToolReply.Ok(StringNode text))
                return new Progress(progress.percent(), text.stringValue());
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError().setCause(Unquoted.of(e)).addKeyValue(LogKeys.TOOL, call.call().name())
                    .log("result guard failed");
        }
        return new Progress(progress.percent(), null);
    }

    private RegisteredTool acquire(ToolRef tool) throws InterruptedException {
        registry.awaitTool(tool, () -> true);
        RegisteredTool loaded = registry.acquire(tool);
        if (loaded == null)
            throw new IllegalStateException("Tool/" + tool.tool() + " of " + tool.bundle() + " is not loaded here");
        return loaded;
    }
}
