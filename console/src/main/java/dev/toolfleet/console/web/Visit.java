package dev.toolfleet.console.web;

import java.time.Instant;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.wire.ToolCall;

/// Request of a person who may see pages.
///
/// @param principal the person, with their rights
/// @param open true at a gateway without principals: everyone on this machine has all rights
/// @param csrf text that each form must send back
/// @param path of the request, with its query
/// @param now the time of the request
public record Visit(Principal principal, boolean open, String csrf, String path, Instant now) {
    /// True if the person has this right.
    public boolean has(Scope scope) {
        return principal.has(scope);
    }

    /// True if the person may see lists of calls and of the fleet.
    public boolean seesCalls() {
        return has(Scope.TOOLS_CALL) || has(Scope.FLEET_READ);
    }

    /// True if the person may read arguments and outputs of this call: the same right as for `GET /v1/calls/{id}`.
    public boolean reads(ToolCall call) {
        return has(Scope.TOOLS_CALL)
                && principal.mayUse(call.instanceKey(), call.agentName());
    }

    /// True if the person may see that this call exists.
    public boolean sees(CallSummary call) {
        return seesCalls()
                && principal.mayUse(call.instanceKey(), call.agentName());
    }

    /// Returns the name under which the person's actions are recorded.
    public String author() {
        return principal.userId().orElse(principal.name().isEmpty() ? "console" : principal.name());
    }
}
