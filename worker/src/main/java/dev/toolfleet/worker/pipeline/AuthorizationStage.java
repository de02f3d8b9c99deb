package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.bundle.ToolAuth;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.oauth.view.TokenDesk;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.ApprovalQuestion;
import dev.toolfleet.worker.call.CallFacts.Ruled;
import dev.toolfleet.worker.execute.CallTokens;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.recovery.IntentJournal;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Authorization of a call whose export declares `onMissing: wait`: without a grant the call waits for the person, and
/// runs once the grant is there.
///
/// It comes before a person is requested to approve the call: no person should approve a call that could not run. A call
/// that was resumed never waits for an authorization again, so that each wait ends it or lets it run.
///
/// @param desk the source of tokens; empty in a process without the fleet's OAuth key
/// @param maxOpen the most calls of an instance that may wait for a person
/// @param handles makes handles that cannot be guessed
public record AuthorizationStage(Optional<TokenDesk> desk, int maxOpen, Supplier<String> handles,
        InstantSource clock) {
    /// The rule of approvals that a grant gives. No policy counts one as answered.
    static final String RULE = "@authorization";
    /// The time from an authorization's end for which its call still waits.
    private static final Duration EXCHANGE = Duration.ofMinutes(1);

    /// Returns the reply to a call that has no grant yet; null when the call goes on.
    ///
    /// @param call as the middlewares left it; its arguments are valid
    @Nullable
    ToolReply missing(Ruled run, ToolCall call, RegisteredTool tool) throws InterruptedException {
        ToolAuth auth = tool.export().auth().orElse(null);
        if (auth == null || auth.onMissing() != ToolAuth.OnMissing.WAIT)
            return null;
        if (desk.isEmpty())
            return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_AUTHORIZATION_REQUIRED,
                    "The tool acts for a person, and this worker has no OAuth key; the call was not started."));
        TokenDesk.Claim claim = CallTokens.claim(bundle(run), auth, run.call().arrival().call());
        if (run.grant() != null)
            return resumed(desk.get().resumed(claim, TokenSource.MIN_TTL));
        Optional<TokenAnswer> held = desk.get().held(claim, TokenSource.MIN_TTL, List.of());
        if (held.isPresent())
            return held.get() instanceof TokenAnswer.Failed failed ? failed(failed) : null;
        // Otherwise: a person gets a link that resumes no call.
        ToolReply refusal = refusal(run, call);
        if (refusal != null)
            return refusal;
        String handle = handles.get();
        return switch (desk.get().authorize(claim, List.of(), handle)) {
            case TokenAnswer.Ready _ -> null;
            case TokenAnswer.Failed failed -> failed(failed);
            case TokenAnswer.Required required -> wait(run, call, handle, required, auth);
        };
    }

    private static @Nullable ToolReply resumed(TokenAnswer answer) {
        return switch (answer) {
            case TokenAnswer.Ready _ -> null;
            case TokenAnswer.Failed failed -> failed(failed);
            case TokenAnswer.Required required -> new ToolReply.Failed(ToolError.of(
                    ErrorCode.E_TOOL_AUTHORIZATION_REQUIRED, "The tool's authorization is gone or too narrow; the call"
                            + " was not started. " + required.message()));
        };
    }

    private static ToolReply failed(TokenAnswer.Failed failed) {
        return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_AUTHORIZATION_REQUIRED, "The tool acts for a person: "
                + failed.code() + ": " + failed.message() + "; the call was not started."));
    }

    /// Returns the reply to a call that may not wait; null for one that may.
    private @Nullable ToolReply refusal(Ruled run, ToolCall call) {
        // Otherwise: it was authorized and has run, its results are gone, and a second grant lets it run again.
        RegisteredTool tool = run.tool();
        if (run.isDoubtful() && (tool == null || !tool.export().annotations().repeatable()))
            return IntentJournal.doubtful(run);
        Instant deadline = call.deadline();
        if (deadline != null && !deadline.isAfter(clock.instant()))
            return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "The call's deadline " + deadline
                    + " passed before a person could authorize the tool; it was not started."));
        PartitionState state = run.state();
        if (state != null && !state.mayAsk(run.call(), maxOpen))
            return new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_RATE_LIMITED, "A person has to authorize the"
                    + " tool, but " + maxOpen + " calls of instance '" + call.instanceKey()
                    + "' already wait for a person, and no more may. The call was not started."));
        return null;
    }

    private static ToolReply wait(Ruled run, ToolCall call, String handle, TokenAnswer.Required required,
            ToolAuth auth) {
        // The code of a person who came in the last moment is exchanged after the authorization's end.
        Instant until = required.expiresAt().plus(EXCHANGE);
        Instant deadline = call.deadline();
        if (deadline != null && deadline.isBefore(until))
            until = deadline;
        ObjectNode output = required.output().put("handle", handle).put("until", until.toString());
        output.put("message", required.message() + " The call has not run. It runs by itself once that is done, or ends"
                + " when it is not done in time. Do not call again meanwhile.");
        Approval asked = new Approval(RULE, List.of(RULE), "the tool acts for a person at "
                + auth.app().name(), Fingerprint.of(call.name(), call.args()), null, 0, null);
        run.reached(run.asks(new ApprovalQuestion(handle, PendingCall.Kind.AUTHORIZATION, asked, until, 0, output)));
        return new ToolReply.Pending(handle, output.deepCopy(), null, null);
    }

    private static String bundle(Ruled run) {
        return run.chosenAs() == null ? "" : run.chosenAs().bundle();
    }
}
