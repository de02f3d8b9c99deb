package dev.toolfleet.console.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.gateway.calls.CallEvent;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// Model of the page of one call.
///
record OneCallModel(Frame frame, CallPart part, String live) {
    private static final int MAX_ARGUMENTS = 2_000;

    /// Returns the parameters of the question to the policy about this call.
    Map<String, String> policy() {
        ToolCall call = part.call();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("tool", call.name());
        parameters.put("agent", call.agentName() == null ? "" : call.agentName());
        parameters.put("user", call.userId() == null ? "" : call.userId());
        parameters.put("channel", call.channelId() == null ? "" : call.channelId());
        if (part.access().reads() && call.args().toString().length() <= MAX_ARGUMENTS)
            parameters.put("args", call.args().toString());
        return parameters;
    }

    /// Things that a person may do with a call.
    ///
    /// @param cancel true if they may cancel it
    /// @param skip true if they may let its lane go on past it
    /// @param decide true if they may decide about it, among the approvals
    /// @param complete true if they may end its work elsewhere
    record Actions(boolean cancel, boolean skip, boolean decide, boolean complete) {
        boolean any() {
            return cancel || skip || decide || complete;
        }
    }

    /// Rights of the person who sees a call.
    ///
    /// @param reads true if they may read arguments, output, and the texts of the tool and of people
    /// @param actions the things that they may do
    /// @param csrf text that each form must send back
    record PartAccess(boolean reads, Actions actions, String csrf) {}

    /// Live part of the page.
    ///
    /// @param access the rights of the person
    /// @param now the end of what has not ended
    record CallPart(CallView view, CallEvents events, PartAccess access, Instant now) {
        ToolCall call() {
            return view.call();
        }

        StatusMark status() {
            ToolResult result = view.result();
            return StatusMark.of(view.stage(), result == null ? null : result.status(),
                    result == null || result.error() == null ? null : result.error().code());
        }

        List<StageBar> bars() {
            return StageBar.of(view, events, now);
        }

        boolean isOpen() {
            return view.result() == null;
        }

        @Nullable
        ToolError error() {
            return view.result() == null ? null : view.result().error();
        }

        ShownValue arguments() {
            return ShownValue.of(call().args());
        }

        ShownValue output() {
            return view.result() == null ? ShownValue.of(null) : ShownValue.of(view.result().output());
        }

        /// Returns the notice of the fleet to the model; empty for none.
        String notice() {
            String notice = view.result() == null ? null : view.result().notice();
            return notice == null ? "" : notice;
        }

        /// Returns the facts of the result guard in words; empty when it has changed nothing.
        String guard() {
            ToolResult result = view.result();
            if (result == null || result.guard() == null)
                return "";
            List<String> words = new ArrayList<>();
            if (result.guard().redacted())
                words.add("secrets were taken out");
            if (result.guard().truncated())
                words.add("cut from " + result.guard().originalSize() + " to " + result.guard().guardedSize()
                        + " bytes");
            return String.join(", ", words);
        }

        /// Returns the state of the call in a sentence, from what the read model knows.
        String sentence() {
            CallWait wait = view.waitsFor();
            return switch (view.stage()) {
                case ACCEPTED -> "The call is durable. It waits in its lane, or its handler runs.";
                case RUNNING -> "Its handler runs, and has reported progress.";
                case PENDING -> wait == null ? "It waits for work elsewhere." : waits(wait);
                case APPROVAL -> wait == null || wait.approval() == null
                        ? "It waits for the decision of a person."
                        : "It waits for the decision of a person until " + SpanText.full(wait.deadline())
                                + (access.reads() ? ": " + wait.approval().reason() : ".");
                case RESUMED -> "Its wait is over, and it runs or is about to end.";
                case ENDED -> ended();
            };
        }

        private static String waits(CallWait wait) {
            String what = wait.kind() == PendingCall.Kind.AUTHORIZATION
                    ? "It waits until a person has authorized the tool"
                    : "It waits for work elsewhere" + (wait.target() == null ? "" : ", by " + wait.target());
            return what + ", until " + SpanText.full(wait.deadline()) + " at the latest.";
        }

        private String ended() {
            ToolResult result = view.result();
            String took = SpanText.of(Duration.between(view.acceptedAt(), endedAt()));
            return result != null && result.error() != null
                    ? "It failed after " + took + "."
                    : "It ended after " + took + ".";
        }

        Instant endedAt() {
            return events.events().stream().filter(CallEvent.Result.class::isInstance).map(CallEvent::at).findFirst()
                    .orElse(now);
        }

        /// Returns the latest report of progress in words; empty for none, and for a person who may not read it.
        String progress() {
            if (!access.reads() || view.progress() == null)
                return "";
            Progress last = view.progress().progress();
            return (last.percent() == null ? "" : Math.round(last.percent()) + " % ")
                    + (last.message() == null ? "" : last.message());
        }

        /// Returns the id of the explanation's place: the page loads it again when this changes.
        String explained() {
            return "explain-" + view.stage().text() + "-" + view.at().toString().replace('.', '-');
        }
    }
}
