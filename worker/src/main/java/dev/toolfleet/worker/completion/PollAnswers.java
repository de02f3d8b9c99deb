package dev.toolfleet.worker.completion;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.execute.HandlerReplies;
import org.jspecify.annotations.Nullable;

/// Answers of modules as completions. Pure.
final class PollAnswers {
    private static final WireCodec<Completion> CODEC = WireCodec.of(Completion.class);

    private PollAnswers() {}

    /// @throws IllegalArgumentException if the module's answer is invalid
    static Completion completion(String handle, @Nullable PollAnswer answer) {
        Completion completion = switch (answer) {
            case null -> throw new IllegalArgumentException("the module answered null");
            case PollAnswer.Running(Double percent, String message) ->
                Completion.progress(handle, new Progress(percent, message), null);
            case PollAnswer.Completed(Object output) -> completed(handle, output);
            case PollAnswer.Failed(var error) -> Completion.failed(handle, HandlerReplies.error(error), null);
        };
        String problem = CompletionDecoder.problem(completion);
        if (problem != null)
            throw new IllegalArgumentException("the module's answer is not valid: " + problem);
        return completion;
    }

    private static Completion completed(String handle, @Nullable Object output) {
        return switch (HandlerReplies.of(ToolOutput.of(output), false)) {
            case ToolReply.Ok(var json) -> fitting(Completion.completed(handle, json, null));
            case ToolReply.Failed(var error) -> Completion.failed(handle, error, null);
            case ToolReply.Pending _ -> throw new IllegalArgumentException(
                    "the module answered with another handle; it may answer with an output, an error or progress");
        };
    }

    private static Completion fitting(Completion completion) {
        int bytes = CODEC.write(completion).length;
        return bytes <= RawRecord.MAX_BYTES ? completion : tooLarge(completion.handle(), bytes, null);
    }

    /// Makes the error that replaces an end which does not fit into a record (G6 in `docs/guarantees.md`).
    static Completion tooLarge(String handle, int bytes, @Nullable String token) {
        return Completion.failed(handle, ToolError.of(ErrorCode.E_TOOL_RESULT_TOO_LARGE, "The completion has " + bytes
                + " bytes; at most " + RawRecord.MAX_BYTES + " can be published."), token);
    }
}
