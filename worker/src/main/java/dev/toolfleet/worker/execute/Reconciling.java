package dev.toolfleet.worker.execute;

import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Asks a tool's module whether a call happened whose worker died. It is run like a handler: until its deadline, on the
/// call's thread, answered for when it does not end.
public final class Reconciling {
    private final HandlerExecutor handlers;

    /// Asks by means of `handlers`.
    public Reconciling(HandlerExecutor handlers) {
        this.handlers = handlers;
    }

    /// What the module says.
    public sealed interface Verdict {
        /// It happened, and this is what it answered.
        record Happened(ToolReply reply) implements Verdict {}

        /// It did not, and will not.
        record DidNotHappen() implements Verdict {}

        /// Nobody knows.
        record Unknown() implements Verdict {}
    }

    /// Asks. Whatever the module throws means that nobody knows (G5).
    ///
    /// @param abandoned told, on the deadline thread, when the module does not answer
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
                    Replies.of(output, tool.export().execution().async().isPresent()));
            case Reconciliation.DidNotHappen() -> new Verdict.DidNotHappen();
            case Reconciliation.Unknown() -> new Verdict.Unknown();
        };
    }
}
