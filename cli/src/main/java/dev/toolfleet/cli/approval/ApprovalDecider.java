package dev.toolfleet.cli.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.handle.HandleText;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.Decisions;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// `toolfleet approve` and `toolfleet reject`: sends a person's decision, and reports the outcome. A decision that the
/// fleet would not believe is not sent.
public final class ApprovalDecider {

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Decides about calls of this fleet.
    public ApprovalDecider(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Decision of a person, as the command line gives it.
    ///
    /// @param instance whose call it must be; null for any
    /// @param claimed author of the decision in the person's words; null for the name of the login, or this system's
    /// user
    /// @param despiteHidden whether an approval means what is not shown too
    public record Words(@Nullable String instance, Decision.Verdict verdict, @Nullable String claimed,
            @Nullable String reason,
            boolean despiteHidden) {
        private Decision about(String handle, String by) {
            Decision decision = new Decision(handle, verdict, by, reason);
            return despiteHidden ? decision.evenIfHidden() : decision;
        }

        private String done() {
            return verdict == Decision.Verdict.APPROVE ? "approved" : "rejected";
        }
    }

    /// Decides.
    ///
    /// @param named a handle, the beginning of one, or a call's id
    /// @param result whether to wait for the call's final result
    /// @param patience how long to wait for the outcome
    /// @return 0 when it counted and, if that was asked for, the final result came
    /// @throws Failure when nothing was sent, another person was faster, or no answer came in time
    public int decide(String named, Words words, boolean result, Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        String by = LoginName.by(fleet.kafka(), words.claimed());
        try (ProgressNote progress = fleet.progress();
                TopicScan scan = fleet.scan();
                HandleReader reader = fleet.handles(progress)) {
            DecisionWatch watch = new DecisionWatch(scan, fleet.topics());
            OpenApproval open = open(reader, named, words, by);
            watch.alsoResults(open.call());
            send(words.about(open.handle(), by));
            progress.doing("waiting for what a worker makes of it");
            Optional<AuditEvent> event = watch.event(open.handle(), by, until);
            progress.doing("");
            said(open, words, by, event, patience);
            if (!result)
                return Failure.SUCCESS;
            progress.doing("waiting for the final result");
            return end(open, watch, reader, until, patience, progress);
        }
    }

    private OpenApproval open(HandleReader reader, String named, Words words, String by) {
        Instant now = fleet.clock().instant();
        ApprovalText text = new ApprovalText(View.of(terminal, now));
        OpenApproval open = ApprovalViewer.one(found(new ApprovalFinder(reader, now, terminal.width()), named, words),
                named,
                text, terminal);
        if (open.isOverdue(now)) {
            throw Failure.failed("the approval of " + HandleText.call(open.call().call()) + " expired "
                    + DurationText.coarse(Duration.between(open.call().deadline(), now))
                    + " ago; nothing was sent. No worker"
                    + " has closed it yet: look whether one runs");
        }
        if (words.verdict() == Decision.Verdict.APPROVE && open.call().approval() == null) {
            throw Failure.failed("the record of handle '" + open.handle() + "' does not say which arguments and rules"
                    + " are to be approved, so that nothing can be; toolfleet reject ends it");
        }
        if (words.verdict() == Decision.Verdict.APPROVE && !words.despiteHidden())
            refuseHidden(open);
        if (words.verdict() == Decision.Verdict.APPROVE)
            refuseRequester(open, by);
        return open;
    }

    /// @throws Failure when a person is not shown all that would run
    static void refuseHidden(OpenApproval open) {
        if (open.isShownWhole())
            return;
        throw Failure.failed(open.hiddenText()
                + ", so what would run is not all shown; nothing was sent. Look at it with"
                + " toolfleet approvals " + View.shown(open.handle()) + ", then reject it, or approve it with"
                + " --despite-hidden if it may run whatever stands there");
    }

    /// @throws Failure when the one who would approve is the user for whom the call is made
    private static void refuseRequester(OpenApproval open, String by) {
        Approval asked = open.call().approval();
        if (asked != null && by.equals(asked.notBy()))
            throw Failure.failed("the call is made for '" + View.shown(by)
                    + "', and its rule wants another person to approve it; nothing was sent");
    }

    /// A rejection runs nothing, so it takes what names one approval.
    private static ApprovalFinder.Found found(ApprovalFinder search, String named, Words words) {
        return switch (words.verdict()) {
            case APPROVE -> search.findSurely(named, words.instance());
            case REJECT -> search.find(named);
        };
    }

    private void said(OpenApproval open, Words words, String by, Optional<AuditEvent> event, Duration patience) {
        String call = HandleText.call(open.call().call());
        if (event.isEmpty()) {
            throw Failure.failed("the decision about " + call + " was sent, but no worker has taken note of it within "
                    + DurationText.text(patience) + "; it counts if one does before " + open.call().deadline()
                    + ". Look whether"
                    + " one runs, then at toolfleet handles " + open.handle());
        }
        AuditEvent heard = event.get();
        if (DecisionWatch.isCount(heard)) {
            terminal.print("counted: " + heard.approvals() + " of " + heard.quorum() + " people have approved " + call
                    + "; it waits for another person");
            return;
        }
        if (!heard.action().equals(words.done()) || !Objects.equals(heard.by(), by)) {
            throw Failure.failed("yours changed nothing: " + call + " is " + heard.action()
                    + (heard.by() == null ? "" : " by " + View.shown(heard.by()))
                    + (heard.reason() == null ? "" : " (" + View.shown(heard.reason()) + ")"));
        }
        terminal.print(words.done() + " " + call
                + (words.verdict() == Decision.Verdict.APPROVE
                        ? "; it goes on under the policy of this moment"
                        : "; its agent is told"));
        terminal.print("  " + ApprovalText.brief(open, terminal.width() - 2));
    }

    private int end(OpenApproval open, DecisionWatch watch, HandleReader reader, long until, Duration patience,
            ProgressNote progress) throws InterruptedException {
        Set<String> heard = new HashSet<>(Set.of(open.handle()));
        String call = HandleText.call(open.call().call());
        String waits = "";
        for (Optional<ToolResult> next = watch.next(open.call(), until); next.isPresent(); next = watch
                .next(open.call(), until)) {
            ToolResult result = next.get();
            String handle = String.valueOf(result.handle());
            if (result.isFinal()) {
                progress.doing("");
                terminal.print(call + " ended: " + HandleText.outcome(result, terminal.width()));
                return Failure.SUCCESS;
            }
            if (!heard.add(handle))
                continue;
            if (reader.read(handle) instanceof HandleState.Open(PendingCall pending, Optional<?> _)
                    && pending.kind() == PendingCall.Kind.APPROVAL) {
                throw Failure.failed(call + " is asked about anew, since another rule asks now, or its arguments are"
                        + " others: toolfleet approvals " + handle);
            }
            waits = " (its work goes on under handle " + handle + ")";
        }
        throw Failure
                .failed("the final result of " + call + " did not come within " + DurationText.text(patience) + waits
                        + "; look at toolfleet handles " + open.handle());
    }

    private void send(Decision decision) throws InterruptedException {
        try (Decisions decisions = Decisions.open(fleet.client())) {
            RemoteFleet.get(decisions.send(decision));
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }
}
