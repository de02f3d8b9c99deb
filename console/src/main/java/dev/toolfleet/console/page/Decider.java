package dev.toolfleet.console.page;

import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.rest.FleetWriter;
import dev.toolfleet.gateway.rest.OpenHandles;
import dev.toolfleet.gateway.rest.Stages;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import org.jspecify.annotations.Nullable;

/// Sends the decisions of people about calls. The worker that has the handle checks each, and leaves its `tool.audit`
/// record.
record Decider(FleetWriter fleet) {
    /// Decides about one call.
    ///
    /// @param despiteHidden true if the person approves although they were not shown everything
    /// @throws dev.toolfleet.http.ProblemException when the person may not, or nothing waits for the decision
    /// @throws IllegalArgumentException when the call was not shown whole
    void decide(String handle, Decision.Verdict verdict, @Nullable String reason, boolean despiteHidden, Visit visit) {
        Rights.check(visit, Scope.APPROVALS_DECIDE, "Deciding about calls");
        PendingCall pending = new OpenHandles(fleet).get(handle, visit.principal());
        if (pending.approval() == null)
            throw new IllegalArgumentException("The handle '" + handle
                    + "' waits for work, not for the decision of a person. Nothing was decided.");
        if (verdict == Decision.Verdict.APPROVE && !despiteHidden
                && !new Question(OpenApproval.of(pending)).isShownWhole())
            throw new IllegalArgumentException("A part of what would run is hidden. Tick 'although a part is hidden' if"
                    + " you approve it nevertheless. Nothing was decided.");
        Stages.sentOnly(fleet.decide(new Decision(handle, verdict, visit.author(), reason,
                (verdict == Decision.Verdict.APPROVE && despiteHidden) ? Boolean.TRUE : null)), "the decision");
    }
}
