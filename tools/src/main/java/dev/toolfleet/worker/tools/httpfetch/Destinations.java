package dev.toolfleet.worker.tools.httpfetch;

import java.net.InetAddress;
import java.util.List;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.egress.AddressLookup;
import dev.toolfleet.worker.egress.AddressLookup.Answer;
import dev.toolfleet.worker.egress.EgressList;

/// Addresses to which a request may connect.
///
/// @param egress the hosts that the operator allows to all tools; the settings of this one narrow it further
record Destinations(EgressList egress, HttpFetchConfig config, AddressLookup lookup) {

    /// The addresses of the target's host, at least one.
    ///
    /// @throws ToolException `E_HTTP_REFUSED` if the host, its port or any of the addresses may not be reached
    List<InetAddress> of(Target target) {
        egress.refusal(target.hostName(), target.port()).ifPresent(reason -> {
            throw HttpErrors.refused(reason);
        });
        config.hosts().refusal(target.host(), target.port()).ifPresent(reason -> {
            throw HttpErrors.refused("The host '" + target.host() + "' " + reason + ".");
        });
        if (!config.ports().allows(target.port()))
            throw HttpErrors.refused("Port " + target.port() + " may not be reached; allowed are "
                    + config.ports().shown() + ".");
        return switch (lookup.of(target.hostName(), config.addresses())) {
            case Answer.Reachable(List<InetAddress> addresses) -> addresses;
            case Answer.Forbidden(String reason) -> throw HttpErrors.refused("'" + target.host()
                    + "' may not be reached: the address is " + reason + ".");
            case Answer.NoPublicHost() -> throw HttpErrors.noPublicHost(target);
        };
    }
}
