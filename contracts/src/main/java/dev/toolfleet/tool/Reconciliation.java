package dev.toolfleet.tool;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Answer of [ToolModule#reconcile] about a call whose worker died between the call's intent and its result.
public sealed interface Reconciliation {
    /// The call happened.
    ///
    /// @param output the handler's answer, as it would have been; published as the call's result
    record Happened(ToolOutput output) implements Reconciliation {
        /// Checks that there is an output.
        public Happened {
            requireNonNull(output, "output");
        }
    }

    /// The call did not happen and no longer can: a late start of it would be rejected. Its handler starts again.
    record DidNotHappen() implements Reconciliation {}

    /// The outcome is unknown. The call ends with `E_TOOL_OUTCOME_UNKNOWN`.
    record Unknown() implements Reconciliation {}

    /// Answers that the call happened and would have returned `output`: a [ToolOutput], or a value as for
    /// [ToolOutput#of].
    static Reconciliation happened(@Nullable Object output) {
        return new Happened(ToolOutput.of(output));
    }

    /// Answers that the call did not happen and no longer can. Only for a tool that rejects a late start, for example
    /// by [ToolContext#idempotencyKey] or [ToolContext#fencingToken]: a worker that counts as dead may still be
    /// running.
    static Reconciliation didNotHappen() {
        return new DidNotHappen();
    }

    /// Answers that the outcome is unknown.
    static Reconciliation unknown() {
        return new Unknown();
    }
}
