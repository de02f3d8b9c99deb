package dev.toolfleet.worker.execute;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Operand;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Requests from a tool's module the files on which a call depends. The inquiry runs like a handler that only reads: until
/// its deadline, on the call's thread. It is interrupted if the call is cancelled or its partition moves.
public final class OperandInquiry {
    private final HandlerExecutor handlers;

    /// Creates inquiries that run on `handlers`.
    public OperandInquiry(HandlerExecutor handlers) {
        this.handlers = handlers;
    }

    /// Answer of the module.
    public sealed interface Found {
        /// The files.
        record Known(List<Operand> operands) implements Found {}

        /// The call ends, because the approver could not see these files.
        record Failed(ToolReply reply) implements Found {}

        /// The call is left to the next owner of its partition.
        record Left() implements Found {}
    }

    /// Makes the inquiry. The module's exception is the call's error (G5 in `docs/guarantees.md`).
    ///
    /// @param abandoned called on the deadline thread if the module does not answer
    public Found of(RegisteredTool tool, HandlerCall call, ObjectNode input, HandlerExecutor.Abandonment abandoned) {
        AtomicReference<@Nullable List<Operand>> answer = new AtomicReference<>();
        HandlerResult result = handlers.run(tool.looking((context, args) -> {
            answer.set(tool.module().operands(tool.export().name(), context, args));
            return ToolOutput.of(null);
        }), call, input, abandoned);
        return switch (result) {
            case HandlerResult.Left _ -> new Found.Left();
            case HandlerResult.Replied(ToolReply.Ok _, long _) -> known(tool, answer.get());
            case HandlerResult.Replied(ToolReply reply, long _) -> new Found.Failed(reply);
        };
    }

    private static Found known(RegisteredTool tool, @Nullable List<Operand> operands) {
        return operands == null
                ? new Found.Failed(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL, "The module of export '"
                        + tool.export().name() + "' answered null for the files on which the call depends; it was not"
                        + " started.")))
                : new Found.Known(List.copyOf(operands));
    }
}
