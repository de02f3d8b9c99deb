package dev.toolfleet.worker.catalog;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.News;

/// Decides whether a call's tool is in the catalog of its own step, and waits for a catalog that is still on its way:
/// first until the follower has read all that is published, then up to `catalog.wait`. Holds only the call's lane.
public final class CatalogGate {
    private final CatalogMode mode;
    private final Duration wait;
    private final StepCatalogs steps;
    private final CatalogContents contents;
    private final News news;
    private final ToolRegistry registry;
    private final IntFunction<CompletableFuture<Void>> catchUp;

    /// A gate over the followed topics.
    ///
    /// @param catchUp reads a partition's step catalogs up to their end as of now
    public CatalogGate(CatalogMode mode, Duration wait, StepCatalogs steps, CatalogContents contents, News news,
            ToolRegistry registry, IntFunction<CompletableFuture<Void>> catchUp) {
        this.mode = mode;
        this.wait = wait;
        this.steps = steps;
        this.contents = contents;
        this.news = news;
        this.registry = registry;
        this.catchUp = catchUp;
    }

    /// Judges a call.
    ///
    /// @param partition the call's partition number, whose catalogs decide
    /// @throws InterruptedException when the call was interrupted while its catalog was waited for
    public CatalogVerdict judge(ToolCall call, int partition) throws InterruptedException {
        return switch (mode) {
            case STEP -> byStep(call, partition);
            case AGENT -> byAgent(call);
            case REGISTRY -> byRegistry(call);
        };
    }

    private CatalogVerdict byStep(ToolCall call, int partition) throws InterruptedException {
        String agent = call.agentName();
        if (agent == null) {
            return refused(call, "The call names no agent, and only an agent has a catalog. Send agentName.");
        }
        StepLookup found = StepLookup.of(call, steps.newest(call.instanceKey(), agent));
        if (found instanceof StepLookup.NotYet)
            found = patiently(call, agent, partition);
        return switch (found) {
            case StepLookup.Known(String digest, StepCatalog catalog) -> inContent(call, digest, catalog);
            case StepLookup.TooOld(StepCatalog catalog) -> refused(call, "The call's step '" + call.stepId()
                    + "' is too old: the agent is at step '" + catalog.stepId() + "'. Call in the current step.");
            case StepLookup.NotYet(StepCatalog catalog) -> call.stepId() == null
                    ? byAgent(call)
                    : refused(call,
                            catalog == null
                                    ? "No catalog was published for step '" + call.stepId()
                                            + "' of agent '" + agent
                                            + "'. The agent runtime must announce a step before it calls in it."
                                    : "No catalog was published for step '" + call.stepId() + "' of agent '" + agent
                                            + "' (its newest is of step '" + catalog.stepId()
                                            + "'). The step was not announced, or is too old.");
        };
    }

    private StepLookup patiently(ToolCall call, String agent, int partition) throws InterruptedException {
        boolean unstepped = call.stepId() == null;
        awaitEnd(partition);
        StepLookup found = news.await(() -> {
            StepLookup look = StepLookup.of(call, steps.newest(call.instanceKey(), agent));
            return look instanceof StepLookup.NotYet && !unstepped ? null : look;
        }, wait);
        return found != null ? found : StepLookup.of(call, steps.newest(call.instanceKey(), agent));
    }

    private void awaitEnd(int partition) throws InterruptedException {
        try {
            catchUp.apply(partition).get(Math.max(10_000, wait.toMillis() * 4), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // Not readable now: the wait that follows decides with what is known.
        }
    }

    private CatalogVerdict inContent(ToolCall call, String digest, StepCatalog catalog) throws InterruptedException {
        CatalogContent content = contents.get(digest);
        if (content == null)
            content = news.await(() -> contents.get(digest), wait);
        if (content == null) {
            return refused(call, "The catalog's content " + digest + " has not arrived. Try again.");
        }
        CatalogTool tool = content.tool(call.name());
        if (tool == null)
            return refused(call, whyHidden(call));
        if (registry.revision(catalog.bundle()) < catalog.revision()) {
            news.await(() -> registry.revision(catalog.bundle()) >= catalog.revision() ? true : null, wait);
        }
        return new CatalogVerdict.Offered(tool, digest, catalog.policyDigest());
    }

    private CatalogVerdict byAgent(ToolCall call) {
        String agent = call.agentName();
        CatalogTool tool = agent == null ? null : registry.listedBy(agent, call.name());
        if (tool != null)
            return new CatalogVerdict.Offered(tool, null, null);
        return refused(call, agent == null ? "The call names no agent. Send agentName." : whyHidden(call));
    }

    private CatalogVerdict byRegistry(ToolCall call) {
        CatalogTool tool = registry.named(call.name());
        return tool != null
                ? new CatalogVerdict.Offered(tool, null, null)
                : refused(call, "No tool of that name is registered.");
    }

    private String whyHidden(ToolCall call) {
        String agent = call.agentName();
        if (agent != null && registry.listedBy(agent, call.name()) != null) {
            return "The tool is hidden in this step. Call only tools that were offered to you in it.";
        }
        boolean exists = registry.named(call.name()) != null;
        return (exists
                ? "The tool is not declared for this agent; add it to the Agent's spec.tools. "
                : "No tool of that name is declared. ") + ErrorCode.E_TOOL_NOT_IN_CATALOG.suggestion();
    }

    private static CatalogVerdict refused(ToolCall call, String why) {
        return new CatalogVerdict.Refused(ToolError
                .of(ErrorCode.E_TOOL_NOT_IN_CATALOG,
                        "Tool '" + call.name() + "' is not available in the current Tool Catalog.")
                .suggesting(why));
    }
}
