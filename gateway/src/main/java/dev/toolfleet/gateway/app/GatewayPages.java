package dev.toolfleet.gateway.app;

import java.util.List;

import dev.toolfleet.gateway.access.Access;
import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.rest.FleetWriter;
import dev.toolfleet.http.Route;

/// Pages for people, which a gateway serves beside its API below
/// [dev.toolfleet.gateway.access.BrowserSessions#PAGES].
@FunctionalInterface
public interface GatewayPages {
    /// No pages.
    GatewayPages NONE = rooms -> List.of();

    /// Parts of a started gateway that pages work with.
    ///
    /// @param fleet writes to the fleet
    /// @param calls the read model of calls
    /// @param lists errors, dead letters, declarations, and views of instances
    /// @param access signs browsers in
    record Rooms(FleetWriter fleet, CallReads calls, FleetLists lists, Access access) {}

    /// Returns the routes of the pages. Called once, when the gateway starts.
    List<Route> routes(Rooms rooms);
}
