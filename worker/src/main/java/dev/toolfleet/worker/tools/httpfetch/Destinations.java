package dev.toolfleet.worker.tools.httpfetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.tool.ToolException;

/// Says to which addresses a request may connect. A name is looked up once, every address it has is checked, and the
/// answer is all that the connection knows: nothing looks it up again, so a name that changes its mind changes nothing.
record Destinations(HttpFetchConfig config, Lookup lookup, OwnNetworks own) {

    /// What knows the addresses of names.
    @FunctionalInterface
    interface Lookup {
        /// All addresses of a name.
        ///
        /// @throws UnknownHostException if there are none
        InetAddress[] addresses(String name) throws UnknownHostException;
    }

    /// The addresses of the target's host, at least one.
    ///
    /// @throws ToolException `E_HTTP_REFUSED` if the host, its port or any of the addresses may not be reached
    List<InetAddress> of(Target target) {
        config.hosts().refusal(target.host()).ifPresent(reason -> {
            throw HttpErrors.refused("The host '" + target.host() + "' " + reason + ".");
        });
        if (!config.ports().allows(target.port()))
            throw HttpErrors.refused("Port " + target.port() + " may not be reached; allowed are "
                    + config.ports().shown() + ".");
        List<InetAddress> addresses = target.literal().map(List::of).orElseGet(() -> lookedUp(target));
        List<AddressRange> networks = own.now();
        for (InetAddress address : addresses) {
            Optional<String> refusal = config.addresses().refusal(address, networks);
            if (refusal.isPresent())
                throw target.literal().isPresent()
                        ? HttpErrors.refused("'" + target.host() + "' may not be reached: the address is "
                                + refusal.get() + ".")
                        : HttpErrors.noPublicHost(target);
        }
        return addresses;
    }

    private List<InetAddress> lookedUp(Target target) {
        try {
            InetAddress[] found = lookup.addresses(target.host());
            if (found.length == 0)
                throw new UnknownHostException(target.host());
            return List.of(found);
        } catch (UnknownHostException e) {
            throw HttpErrors.noPublicHost(target);
        }
    }
}
