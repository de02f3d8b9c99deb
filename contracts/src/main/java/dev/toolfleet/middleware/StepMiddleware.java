package dev.toolfleet.middleware;

/// One layer of the onion that makes the catalog of a step. What stands before `next.proceed()` runs from the outermost
/// layer inwards, what stands after it from the innermost outwards; so a layer that edits after it has the last word
/// over those inside. A layer that does not proceed leaves out the layers inside it.
///
/// Runs in the catalog service, on a thread that many steps wait for: no I/O, no waiting. One layer is run by several
/// threads, for different instances.
@FunctionalInterface
public interface StepMiddleware {
    /// Edits the step's list of tools by [StepContext#tools(java.util.List)] and its kin.
    ///
    /// @param ctx the step; valid until the layer returns
    /// @param next the layers further in; works once, a second time throws [IllegalStateException]
    /// @throws Exception anything: the layer has failed then, and [OnFailure] says what becomes of the list. Layers
    /// further out do not see the exception
    void handle(StepContext ctx, Next next) throws Exception;

    /// The layers further in.
    @FunctionalInterface
    interface Next {
        /// Runs them. Afterwards [StepContext#tools()] is what they left.
        void proceed();
    }

    /// What becomes of the list when a layer throws.
    enum OnFailure {
        /// Nothing of what the layer was handed is shown, since it may have been there to hide it. Layers further out
        /// still add what is theirs, such as required tools.
        CLOSE,
        /// As if the layer were not there. For a layer that hides nothing for safety's sake: one that sorts or
        /// describes.
        SKIP
    }
}
