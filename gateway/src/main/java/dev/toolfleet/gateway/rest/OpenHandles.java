package dev.toolfleet.gateway.rest;

import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;

/// Open waits by their handles, for the requests of one principal. A handle of a call that the principal may not see is
/// unknown to it.
///
/// **Threads.** Any; reads block.
public record OpenHandles(FleetWriter fleet) {
    /// Returns the call that waits.
    ///
    /// @throws ProblemException when none does, or the topics cannot be read
    public PendingCall get(String handle, Principal principal) {
        return switch (state(handle)) {
            case HandleState.Open(PendingCall call, var _) when mayUse(principal, call.call()) -> call;
            case HandleState.Ended(PendingCall call, var at, var _) when mayUse(principal, call.call()) ->
                throw Refusals.of(ProblemType.ENDED, "The handle '" + handle + "' ended at " + at + ".");
            case HandleState.Open _,HandleState.Ended _,HandleState.Unknown _ -> throw unknown(handle);
        };
    }

    private static boolean mayUse(Principal principal, ToolCall call) {
        return principal.mayUse(call.instanceKey(), call.agentName());
    }

    private HandleState state(String handle) {
        if (handle.isBlank() || handle.length() > PendingCall.MAX_HANDLE)
            throw Refusals.invalid("'handle' has " + handle.length() + " characters; 1 to " + PendingCall.MAX_HANDLE
                    + " are accepted.");
        try {
            HandleState state = Stages.within(fleet.handle(handle), CallRequest.BODY_WITHIN);
            if (state != null)
                return state;
        } catch (ToolFleetClientException e) {
            throw Refusals.later("the topics of handles cannot be read");
        }
        throw Refusals.later("the topics of handles have not been read in time");
    }

    private static ProblemException unknown(String handle) {
        return Refusals.of(ProblemType.UNKNOWN_HANDLE, "No call waits for the handle '" + handle
                + "': it never existed, ended long ago, or its pending result is still on its way.");
    }
}
