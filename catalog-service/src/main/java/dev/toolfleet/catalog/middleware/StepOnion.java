package dev.toolfleet.catalog.middleware;

import java.util.List;

import dev.toolfleet.middleware.StepMiddleware.Next;
import dev.toolfleet.middleware.StepTool;
import org.jspecify.annotations.Nullable;

/// Runs a step through its layers, outermost first, and back. See decision 0014 for what a layer's failure means.
public final class StepOnion {
    private StepOnion() {}

    /// The list of tools as the layers left it.
    public static List<StepTool> run(StepLayers layers, StepRun run) {
        enter(layers.outermostFirst(), 0, run);
        return run.tools();
    }

    private static void enter(List<StepLayer> layers, int depth, StepRun run) {
        if (depth == layers.size())
            return;
        StepLayer layer = layers.get(depth);
        Inner inner = new Inner(layers, depth + 1, run);
        List<StepTool> handed = run.tools();
        try {
            layer.middleware().handle(run.seenBy(layer), inner);
        } catch (Throwable e) {
            // An Error of an extension must not end the thread that answers steps either.
            if (e instanceof InterruptedException)
                Thread.currentThread().interrupt();
            run.failed(layer, e);
            switch (layer.onFailure()) {
                case CLOSE -> run.tools(List.of());
                case SKIP -> run.tools(inner.without(handed));
            }
        }
    }

    /// The layers further in.
    private static final class Inner implements Next {
        private final List<StepLayer> layers;
        private final int depth;
        private final StepRun run;
        private boolean used;
        private @Nullable List<StepTool> left;

        Inner(List<StepLayer> layers, int depth, StepRun run) {
            this.layers = layers;
            this.depth = depth;
            this.run = run;
        }

        @Override
        public void proceed() {
            if (used)
                throw new IllegalStateException("next.proceed() was called twice");
            used = true;
            enter(layers, depth, run);
            left = run.tools();
        }

        /// The list as if the layer outside were not there.
        List<StepTool> without(List<StepTool> handed) {
            if (left != null)
                return left;
            // It may not have proceeded, and those inside hide what they have to hide all the same.
            run.tools(handed);
            enter(layers, depth, run);
            return run.tools();
        }
    }
}
