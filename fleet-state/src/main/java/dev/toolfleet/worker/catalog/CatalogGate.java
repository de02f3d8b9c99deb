package dev.toolfleet.worker.catalog;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.catalog.CatalogRefusals.Judge;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.DeclarationState;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.state.ChangeSignal;
import org.jspecify.annotations.Nullable;

/// Gate that decides whether a call's tool is in the catalog of its own step (`docs/catalog.md`).
///
/// **Contract.** It waits for records that are still on their way, each time first until the follower has read all that
/// is published, then up to `catalog.wait`. These are the step's catalog, its content, the revisions from which it was
/// made, and the handler of a tool whose extension is about to publish it. A wait holds only the call's lane.
public final class CatalogGate {
    /// Reads followed topics up to their present end.
    public interface CatchUp {
        /// Reads the step catalogs of a partition.
        CompletableFuture<Void> steps(int partition);

        /// Reads `tool.catalog.content`.
        CompletableFuture<Void> contents();

        /// Reads `tool.resource`.
        CompletableFuture<Void> resources();

        /// For a worker that follows no topic.
        CatchUp NOTHING = new CatchUp() {
            @Override
            public CompletableFuture<Void> steps(int partition) {
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public CompletableFuture<Void> contents() {
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public CompletableFuture<Void> resources() {
                return CompletableFuture.completedFuture(null);
            }
        };
    }

    private final CatalogMode mode;
    private final Duration wait;
    private final StepCatalogs steps;
    private final CatalogContentView contents;
    private final ChangeSignal news;
    private final ToolRegistry registry;
    private final CatchUp catchUp;
    private final CatalogRefusals refusals;

    /// Creates a gate over the followed topics.
    public CatalogGate(CatalogMode mode, Duration wait, StepCatalogs steps, CatalogContentView contents,
            ChangeSignal news,
            ToolRegistry registry, CatchUp catchUp) {
        this.mode = mode;
        this.wait = wait;
        this.steps = steps;
        this.contents = contents;
        this.news = news;
        this.registry = registry;
        this.catchUp = catchUp;
        this.refusals = new CatalogRefusals(registry);
    }

    /// Waits until this worker uses the revision from which a call's step was made, so that the layers that are taken
    /// next are of that revision too. Otherwise: the call takes layers of the earlier revision, waits inside them for
    /// the new one, and runs without the extension that it has added.
    ///
    /// @param partition the call's partition number, whose catalogs decide
    /// @return whether the step's catalog is known, or none decides; false after a wait without success
    /// @throws InterruptedException if the call was interrupted meanwhile
    public boolean await(ToolCall call, int partition) throws InterruptedException {
        String agent = call.agentName();
        if (mode == CatalogMode.REGISTRY)
            registry.awaitNamed(call.name(), () -> true);
        if (agent == null || mode == CatalogMode.REGISTRY)
            return true;
        if (mode == CatalogMode.AGENT) {
            awaitAgent(call, agent);
            return true;
        }
        StepLookup found = StepLookup.of(call, steps.newest(call.instanceKey(), agent));
        if (found instanceof StepLookup.NotYet)
            found = patiently(call, agent, partition);
        if (found instanceof StepLookup.Known(String _, StepCatalog catalog))
            awaitRevision(catalog, catalog.bundle());
        if (call.stepId() == null)
            awaitAgent(call, agent);
        return !(found instanceof StepLookup.NotYet);
    }

    /// Waits for the declared revision of a call without a step. The call runs by the revision in use, unless that does
    /// not have its tool and another is being loaded.
    private void awaitAgent(ToolCall call, String agent) throws InterruptedException {
        if (registry.listedBy(agent, call.name()) != null)
            return;
        DeclaredAgent declared = registry.declared().agent(agent).orElse(null);
        if (declared != null)
            registry.awaitLoaded(declared.bundle());
    }

    /// Waits for the revision of a bundle that a step names. Returns false if it did not come.
    private boolean awaitRevision(StepCatalog catalog, String bundle) throws InterruptedException {
        if (uses(catalog, bundle))
            return true;
        awaitEnd(catchUp.resources());
        registry.awaitLoaded(bundle);
        return news.await(() -> uses(catalog, bundle) ? true : null, wait) != null;
    }

    private boolean uses(StepCatalog catalog, String bundle) {
        return registry.revision(bundle) >= catalog.revision(bundle);
    }

    /// Judges a call.
    ///
    /// @param partition the call's partition number, whose catalogs decide
    /// @throws InterruptedException if the call was interrupted while it waited for its catalog
    public CatalogVerdict judge(ToolCall call, int partition) throws InterruptedException {
        return judge(call, partition, true);
    }

    private CatalogVerdict judge(ToolCall call, int partition, boolean patient) throws InterruptedException {
        return switch (mode) {
            case STEP -> byStep(call, partition, patient);
            case AGENT -> byAgent(call);
            case REGISTRY -> byRegistry(call);
        };
    }

    /// Judges a call that goes on after a while, by the content that its model saw when it called: its agent may be
    /// many steps on. If that content does not exist any more, the call's step decides.
    ///
    /// @param digest of that content; null for a call that is judged for the first time, or was judged without one
    /// @param patient whether to wait for the step's catalog: false if [#await] has done so without success
    /// @throws InterruptedException if the call was interrupted while it waited for its catalog
    public CatalogVerdict judge(ToolCall call, int partition, @Nullable String digest, boolean patient)
            throws InterruptedException {
        if (digest == null || mode != CatalogMode.STEP)
            return judge(call, partition, patient);
        CatalogTools content = content(digest);
        if (content == null)
            return judge(call, partition, patient);
        CatalogTool tool = content.tool(call.name());
        Judge judge = new Judge(digest, null);
        if (tool == null)
            return refusals.hidden(call, judge);
        ToolRef ref = tool.item().tool();
        if (registry.standing(ref) != DeclarationState.DECLARED || !registry.runs(ref)) {
            awaitEnd(catchUp.resources());
            registry.awaitTool(ref, () -> true);
        }
        return offered(call, tool, judge);
    }

    private @Nullable CatalogTools content(String digest) throws InterruptedException {
        CatalogTools content = contents.get(digest);
        if (content != null)
            return content;
        awaitEnd(catchUp.contents());
        return news.await(() -> contents.get(digest), wait);
    }

    private CatalogVerdict byStep(ToolCall call, int partition, boolean patient) throws InterruptedException {
        String agent = call.agentName();
        if (agent == null) {
            return refusals.because(call, "The call names no agent, and only an agent has a catalog. Send agentName.");
        }
        StepLookup found = StepLookup.of(call, steps.newest(call.instanceKey(), agent));
        if (patient && found instanceof StepLookup.NotYet)
            found = patiently(call, agent, partition);
        return switch (found) {
            case StepLookup.Known(String digest, StepCatalog catalog) -> inContent(call, digest, catalog);
            case StepLookup.TooOld(StepCatalog catalog) -> refusals.tooOld(call, catalog);
            case StepLookup.NotYet(StepCatalog catalog) -> call.stepId() == null
                    ? byAgent(call)
                    : refusals.unknownStep(call, catalog);
        };
    }

    private StepLookup patiently(ToolCall call, String agent, int partition) throws InterruptedException {
        boolean unstepped = call.stepId() == null;
        awaitEnd(catchUp.steps(partition));
        StepLookup found = news.await(() -> {
            StepLookup look = StepLookup.of(call, steps.newest(call.instanceKey(), agent));
            return look instanceof StepLookup.NotYet && !unstepped ? null : look;
        }, wait);
        return found != null ? found : StepLookup.of(call, steps.newest(call.instanceKey(), agent));
    }

    private void awaitEnd(CompletableFuture<Void> caughtUp) throws InterruptedException {
        try {
            caughtUp.get(Math.max(10_000, wait.toMillis() * 4), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // The topic cannot be read now: the wait that follows decides by the records read so far.
        } finally {
            caughtUp.cancel(false);
        }
    }

    private CatalogVerdict inContent(ToolCall call, String digest, StepCatalog catalog) throws InterruptedException {
        Judge judge = new Judge(digest, catalog.policyDigest());
        CatalogTools content = content(digest);
        if (content == null) {
            return refusals.because(call, "The catalog's content " + digest + " has not arrived. Try again.");
        }
        CatalogTool tool = content.tool(call.name());
        if (tool == null)
            return refusals.hidden(call, judge);
        ToolRef ref = tool.item().tool();
        for (String bundle : List.of(catalog.bundle(), ref.bundle())) {
            if (!awaitRevision(catalog, bundle))
                return CatalogRefusals.notLoaded(call, bundle, catalog.revision(bundle), registry.revision(bundle),
                        judge);
        }
        if (registry.standing(ref) != DeclarationState.DECLARED)
            awaitEnd(catchUp.resources());
        return offered(call, tool, judge);
    }

    private CatalogVerdict offered(ToolCall call, CatalogTool tool, @Nullable Judge judge)
            throws InterruptedException {
        ToolRef ref = tool.item().tool();
        // Includes a tool of another bundle than the agent's, whose revision an earlier catalog does not name.
        registry.awaitTool(ref, () -> true);
        if (!CatalogRefusals.isConfig(tool.item())) {
            if (registry.standing(ref) != DeclarationState.DECLARED)
                return refusals.unregistered(call, tool.item(), judge);
            if (!registry.runs(ref))
                news.await(() -> registry.runs(ref) ? true : null, wait);
        }
        return new CatalogVerdict.Offered(tool, judge == null ? null : judge.digest(),
                judge == null ? null : judge.policyDigest());
    }

    private CatalogVerdict byAgent(ToolCall call) throws InterruptedException {
        String agent = call.agentName();
        if (agent == null)
            return refusals.because(call, "The call names no agent. Send agentName.");
        CatalogTool tool = registry.listedBy(agent, call.name());
        return tool == null ? refusals.hidden(call, null) : offered(call, tool, null);
    }

    private CatalogVerdict byRegistry(ToolCall call) throws InterruptedException {
        CatalogTool tool = registry.named(call.name());
        return tool == null
                ? refusals.because(call, "No tool of that name is registered.")
                : offered(call, tool, null);
    }
}
