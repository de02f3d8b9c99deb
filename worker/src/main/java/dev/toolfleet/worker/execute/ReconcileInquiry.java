package dev.toolfleet.worker.execute;

import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Inquiry to a tool's module whether a call of a dead worker happened. The inquiry runs like a handler: until its deadline,
/// on the call's thread, with an answer in its place if it does not end.
public final class ReconcileInquiry {
    private final HandlerExecutor handlers;

    /// Creates inquiries that run on `handlers`.
    public ReconcileInquiry(HandlerExecutor handlers) {
        this.handlers = handlers;
    }

    /// Answer of the module.
    public sealed interface Verdict {
        /// The call happened, with this reply.
        record Happened(ToolReply reply) implements Verdict {}

        /// The call did not happen, and will not.
        record DidNotHappen() implements Verdict {}

        /// The module cannot find out.
        record Unknown() implements Verdict {}
    }

    /// Makes the inquiry. The module's exception counts as unknown (G5 in `docs/guarantees.md`).
    ///
    /// @param abandoned called on the deadline thread if the module does not answer
    public Verdict ask(RegisteredTool tool, HandlerCall call, ObjectNode input,
            HandlerExecutor.Abandonment abandoned) {
        AtomicReference<@Nullable Reconciliation> answer = new AtomicReference<>();
        HandlerResult result = handlers.ask(tool.with((context, args) -> {
            answer.set(tool.module().reconcile(tool.export().name(), context, args));
            return ToolOutput.of(null);
        }), call, input, abandoned);
        if (!(result instanceof HandlerResult.Replied(ToolReply.Ok _, long _)))
            return new Verdict.Unknown();
        return switch (answer.get()) {
            case null -> new Verdict.Unknown();
            case Reconciliation.Happened(ToolOutput output) -> new Verdict.Happened(
                    HandlerReplies.of(output, tool.export().execution().async().isPresent()));
            case Reconciliation.DidNotHappen() -> new Verdict.DidNotHappen();
            case Reconciliation.Unknown() -> new Verdict.Unknown();
        };
    }
}
