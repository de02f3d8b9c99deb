package dev.toolfleet.tool;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What [ToolModule#reconcile] knows of a call whose worker died between the call's intent and its result.
public sealed interface Reconciliation {
    /// The call happened.
    ///
    /// @param output what the handler would have answered; published as the call's result
    record Happened(ToolOutput output) implements Reconciliation {
        /// Checks that there is an output.
        public Happened {
            requireNonNull(output, "output");
        }
    }

    /// The call did not happen and no longer can: a late start of it would be refused. Its handler starts again.
    record DidNotHappen() implements Reconciliation {}

    /// Nobody knows. The call ends with `E_TOOL_OUTCOME_UNKNOWN`.
    record Unknown() implements Reconciliation {}

    /// The call happened and would have answered `output`: a [ToolOutput], or a value as for [ToolOutput#of].
    static Reconciliation happened(@Nullable Object output) {
        return new Happened(ToolOutput.of(output));
    }

    /// The call did not happen and no longer can. Only for a tool that makes a late start be refused, for example by
    /// [ToolContext#idempotencyKey] or [ToolContext#fencingToken]: a worker that was thought dead may still be running.
    static Reconciliation didNotHappen() {
        return new DidNotHappen();
    }

    /// Nobody knows.
    static Reconciliation unknown() {
        return new Unknown();
    }
}
