package dev.toolfleet.worker.app;

import java.util.Optional;

import dev.toolfleet.bundle.AsyncSpec;
import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.completion.HandleModules;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;

/// The tools behind handles, as this worker has loaded them.
record RegistryModules(ToolRegistry registry) implements HandleModules {
    @Override
    public Optional<PollSpec> poll(ToolRef tool) {
        return registry.resources().tool(tool).flatMap(spec -> spec.export(tool.export()))
                .flatMap(export -> export.execution().async()).flatMap(AsyncSpec::poll);
    }

    @Override
    public boolean sensitive(ToolRef tool) {
        return registry.resources().tool(tool).flatMap(spec -> spec.export(tool.export()))
                .filter(export -> export.policy().accessesSensitiveData()).isPresent();
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

    private RegisteredTool acquire(ToolRef tool) {
        RegisteredTool loaded = registry.acquire(tool);
        if (loaded == null)
            throw new IllegalStateException("Tool/" + tool.tool() + " of " + tool.bundle() + " is not loaded here");
        return loaded;
    }
}
