package dev.toolfleet.cli.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.handle.HandleText;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// Finds the approval that a person means: by its handle, by the beginning of it, or by the call's id.
final class ApprovalFinder {
    /// Shorter beginnings would be guesses.
    static final int SHORTEST = 4;
    /// Fewest characters of a handle that a decision which runs a call accepts.
    static final int SAFEST = 8;

    private final HandleReader reader;
    private final Instant now;
    private final int width;

    /// @param width of the terminal, for results
    ApprovalFinder(HandleReader reader, Instant now, int width) {
        this.reader = reader;
        this.now = now;
        this.width = width;
    }

    /// Meaning of a name.
    sealed interface Found {
        /// This one.
        record One(OpenApproval approval) implements Found {}

        /// One of these.
        record Several(List<OpenApproval> approvals) implements Found {}

        /// This one fits, but may be another one than the person has looked at.
        record Unsure(OpenApproval approval) implements Found {}
    }

    /// The open approval, or those that the name may mean.
    ///
    /// @throws Failure (failed) when there is none, and what there is instead
    Found find(String named) {
        return switch (reader.read(named)) {
            case HandleState.Open(PendingCall call, Optional<?> _) when call.kind() != PendingCall.Kind.APPROVAL ->
                throw Failure.failed("handle '" + named + "' waits for "
                        + (call.kind() == PendingCall.Kind.AUTHORIZATION ? "an authorization" : "work")
                        + ", not for a person's decision: "
                        + HandleText.call(call.call()) + "; toolfleet handles " + named + " shows it, toolfleet cancel "
                        + named + " ends it");
            case HandleState.Open(PendingCall call, Optional<?> _) -> new Found.One(OpenApproval.of(call));
            case HandleState.Ended ended -> throw Failure.failed(ended(ended));
            case HandleState.Unknown _ -> byBeginning(named);
        };
    }

    /// The same for a decision that cannot be taken back: instances use the same ids for their calls, so by the time
    /// that it is sent an id, or a short beginning, may mean another call than the one that was looked at. An id counts
    /// only with its instance.
    ///
    /// @param instance whose call it must be; null when the person did not say
    /// @throws Failure (failed) also when there is none of that instance
    Found findSurely(String named, @Nullable String instance) {
        List<OpenApproval> fitting = switch (find(named)) {
            case Found.One(OpenApproval one) -> List.of(one);
            case Found.Unsure(OpenApproval one) -> List.of(one);
            case Found.Several(List<OpenApproval> several) -> several;
        };
        List<OpenApproval> open = fitting.stream()
                .filter(each -> instance == null || each.call().call().instanceKey().equals(instance)).toList();
        if (open.isEmpty())
            throw Failure.failed("no approval of instance '" + instance + "' is open under '" + named + "', but "
                    + String.join(", ", fitting.stream().map(each -> HandleText.call(each.call().call())).toList()));
        if (open.size() > 1)
            return new Found.Several(open);
        OpenApproval only = open.getFirst();
        return isSure(only, named, instance) ? new Found.One(only) : new Found.Unsure(only);
    }

    private static boolean isSure(OpenApproval open, String named, @Nullable String instance) {
        return open.handle().equals(named) || (named.length() >= SAFEST && open.handle().startsWith(named))
                || (instance != null && open.call().call().id().equals(named));
    }

    private Found byBeginning(String named) {
        List<OpenApproval> open = reader.approvals(OpenApproval::kept).stream()
                .filter(call -> call.call().id().equals(named)
                        || (named.length() >= SHORTEST && call.handle().startsWith(named)))
                .map(OpenApproval::ofKept).toList();
        return switch (open.size()) {
            case 0 -> throw Failure.failed("no approval is open under '" + named + "', as a handle, as the beginning of"
                    + " one (" + SHORTEST + " characters or more) or as a call's id; toolfleet approvals lists the open"
                    + " ones, with --all those of the last day too");
            case 1 -> new Found.One(open.getFirst());
            default -> new Found.Several(open);
        };
    }

    private String ended(HandleState.Ended ended) {
        String what = ended.call().kind() == PendingCall.Kind.APPROVAL ? "approval" : "work";
        return "handle '" + ended.handle() + "' has ended "
                + DurationText.coarse(Duration.between(ended.endedAt(), now))
                + " ago; the " + what + " of " + HandleText.call(ended.call().call()) + " is closed"
                + ended.result().map(result -> ", and the call ended: " + HandleText.outcome(result, width))
                        .orElse(what.equals("approval") ? "; if it was approved, the call runs" : "")
                + " (toolfleet handles " + ended.handle() + ")";
    }
}
