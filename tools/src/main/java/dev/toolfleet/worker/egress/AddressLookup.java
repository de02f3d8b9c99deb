package dev.toolfleet.worker.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/// Looks the addresses of a host up, once, and checks every one. The answer is all that a connection may know: nothing
/// looks the name up again, so a name that changes its mind changes nothing.
///
/// @param names knows the addresses of names
/// @param own the networks of this machine
public record AddressLookup(Names names, OwnNetworks own) {

    /// The addresses of names.
    @FunctionalInterface
    public interface Names {
        /// All addresses of a name.
        ///
        /// @throws UnknownHostException if there are none
        InetAddress[] addresses(String name) throws UnknownHostException;
    }

    /// Result of a look-up.
    public sealed interface Answer {
        /// Addresses that may be reached, at least one.
        record Reachable(List<InetAddress> addresses) implements Answer {}

        /// An address that may not be reached, with the reason as a clause that follows "the address is".
        record Forbidden(String reason) implements Answer {}

        /// A name without addresses, or with one that may not be reached. Both have one answer, so that no command
        /// learns which names an inner network has.
        record NoPublicHost() implements Answer {}
    }

    /// This machine's own name service and interfaces.
    public static AddressLookup ofMachine() {
        return new AddressLookup(InetAddress::getAllByName, OwnNetworks::ofInterfaces);
    }

    /// The addresses of a host.
    public Answer of(HostName host, AddressRules rules) {
        List<AddressRange> networks = own.now();
        if (host.literal().isPresent()) {
            InetAddress address = host.literal().get();
            Optional<String> refusal = rules.refusal(address, networks);
            return refusal.isPresent()
                    ? new Answer.Forbidden(refusal.get())
                    : new Answer.Reachable(List.of(address));
        }
        List<InetAddress> found = lookedUp(host);
        boolean allowed = !found.isEmpty()
                && found.stream().allMatch(address -> rules.refusal(address, networks).isEmpty());
        return allowed ? new Answer.Reachable(found) : new Answer.NoPublicHost();
    }

    private List<InetAddress> lookedUp(HostName host) {
        try {
            return List.of(names.addresses(host.text()));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }
}
