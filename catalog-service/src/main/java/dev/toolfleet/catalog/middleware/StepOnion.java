package dev.toolfleet.catalog.middleware;

import java.util.List;

import dev.toolfleet.middleware.StepMiddleware.Next;
import dev.toolfleet.middleware.StepTool;
import org.jspecify.annotations.Nullable;

/// Runs a step through its layers, outermost first, and back, each on a thread of its own ([LayerThreads]).
/// `docs/decisions/0014-a-failing-step-middleware.md` defines a layer's failure; a layer that does not return has
/// failed.
public final class StepOnion {
    private final LayerThreads threads;
    private final StepLayers layers;
    private final StepRun run;

    private StepOnion(LayerThreads threads, StepLayers layers, StepRun run) {
        this.threads = threads;
        this.layers = layers;
        this.run = run;
    }

    /// Returns the list of tools after all layers.
    ///
    /// @param layers held by the caller
    public static List<StepTool> run(LayerThreads threads, StepLayers layers, StepRun run) {
        new StepOnion(threads, layers, run).enter(0);
        return run.tools();
    }

    private void enter(int depth) {
        if (depth == layers.outermostFirst().size())
            return;
        StepLayer layer = layers.outermostFirst().get(depth);
        Inner inner = new Inner(depth + 1);
        List<StepTool> handed = run.tools();
        try {
            threads.run(layer.extension(), layers, turn -> layer.middleware().handle(run.seenBy(layer, turn),
                    () -> turn.proceed(inner::proceed)));
        } catch (Throwable e) {
            run.failed(layer, e);
            switch (layer.onFailure()) {
                case CLOSE -> run.tools(List.of());
                case SKIP -> run.tools(inner.without(handed));
            }
        }
    }

    /// The layers further in.
    private final class Inner implements Next {
        private final int depth;
        private boolean used;
        private @Nullable List<StepTool> left;

        Inner(int depth) {
            this.depth = depth;
        }

        @Override
        public void proceed() {
            if (used)
                throw new IllegalStateException("next.proceed() was called twice");
            used = true;
            enter(depth);
            left = run.tools();
        }

        /// Returns the list as without the outer layer.
        List<StepTool> without(List<StepTool> handed) {
            if (left != null)
                return left;
            // The outer layer may not have proceeded; the layers inside still hide their tools.
            run.tools(handed);
            enter(depth);
            return run.tools();
        }
    }
}
