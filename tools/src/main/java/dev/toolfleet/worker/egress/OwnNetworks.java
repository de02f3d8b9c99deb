package dev.toolfleet.worker.egress;

import java.net.Inet6Address;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/// The IPv6 networks to which this machine belongs. In a cloud its neighbours have addresses of the public internet
/// too, and often a firewall that admits only these neighbours.
@FunctionalInterface
public interface OwnNetworks {
    /// The part of an address that names a network, where an interface has one address of it alone.
    int NETWORK_BITS = 64;
    List<AddressRange> EVERY = List.of(AddressRange.parse("::/0"));

    /// Those of now: addresses come and go.
    List<AddressRange> now();

    /// Those of this machine's interfaces; every network when the system does not name them.
    static List<AddressRange> ofInterfaces() {
        try {
            return NetworkInterface.networkInterfaces().flatMap(each -> each.getInterfaceAddresses().stream())
                    .filter(address -> address.getAddress() instanceof Inet6Address).map(OwnNetworks::range).toList();
        } catch (SocketException e) {
            return EVERY;
        }
    }

    private static AddressRange range(InterfaceAddress address) {
        return range((Inet6Address) address.getAddress(), address.getNetworkPrefixLength());
    }

    /// The network of an address.
    ///
    /// @param prefix its length as the interface has it; nonsense counts as that of a network
    static AddressRange range(Inet6Address address, int prefix) {
        return AddressRange.around(address, prefix > 0 && prefix < NETWORK_BITS ? prefix : NETWORK_BITS);
    }
}
