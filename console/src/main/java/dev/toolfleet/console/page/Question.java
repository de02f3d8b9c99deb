package dev.toolfleet.console.page;

import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.ToolCall;

/// Question to a person about a call, as a page shows it.
///
/// @param open the call that waits, without its own arguments
record Question(OpenApproval open) {
    ToolCall call() {
        return open.call().call();
    }

    Approval approval() {
        Approval approval = open.call().approval();
        if (approval == null)
            throw new IllegalStateException("a call that waits for a person has a question");
        return approval;
    }

    /// The id of its call.
    String id() {
        return new CallId(open.call().partition(), open.call().callOffset()).toString();
    }

    ShownValue arguments() {
        return ShownValue.of(open.arguments());
    }

    ShownValue operands() {
        return open.operands().isEmpty() ? ShownValue.ofText("") : ShownValue.of(open.operands());
    }

    /// True if the page shows all that would run: the fleet hides no secret, and nothing is cut. Otherwise a person
    /// approves with a flag of its own.
    boolean isShownWhole() {
        return open.isShownWhole() && arguments().cut() == 0 && operands().cut() == 0;
    }

    /// Returns the reason why it is not shown whole, as a clause.
    String hiddenText() {
        return open.isShownWhole()
                ? "the text is too long for this page; read it with 'Show all as text'"
                : open.hiddenText();
    }
}
