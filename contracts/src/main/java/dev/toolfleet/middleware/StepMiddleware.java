package dev.toolfleet.middleware;

/// Layer of the onion that makes the catalog of a step. Code before `next.proceed()` runs from the outermost layer
/// inwards, code after it from the innermost outwards. So a layer that edits after it overrides those inside. A layer
/// that does not proceed leaves out the layers inside it.
///
/// **Threads.** Runs in the catalog service, on a thread that many steps wait for: no I/O, no waiting. Several threads
/// run one layer, for different instances.
@FunctionalInterface
public interface StepMiddleware {
    /// Edits the step's list of tools, for example by [StepContext#tools(java.util.List)].
    ///
    /// @param ctx the step; valid until the layer returns
    /// @param next the layers further in; works once, a second time throws [IllegalStateException]
    /// @throws Exception anything: the layer has failed then, and [OnFailure] decides about the list. Layers further
    ///         out do not see the exception
    void handle(StepContext ctx, Next next) throws Exception;

    /// The layers further in.
    @FunctionalInterface
    interface Next {
        /// Runs them. Afterwards [StepContext#tools()] is their list.
        void proceed();
    }

    /// Rule for the list when a layer throws.
    enum OnFailure {
        /// Shows none of the tools that the layer was given, since it may exist to hide them. Layers further out still
        /// add their tools, such as required ones.
        CLOSE,
        /// Skips the layer. For a layer that hides nothing for safety's sake: one that sorts or describes.
        SKIP
    }
}
