package dev.toolfleet.worker.egress;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Addresses that are not on the public internet, from the IANA registries of special-purpose addresses (RFC 6890 and
/// its updates), and those at which clouds serve machines their credentials. Of IPv6 only global unicast (`2000::/3`)
/// is public, except for its tunnels: behind those any IPv4 address may be.
final class SpecialAddresses {
    private static final AddressRange GLOBAL_UNICAST = AddressRange.parse("2000::/3");
    /// The narrower before the wider.
    private static final Map<AddressRange, String> KINDS = new LinkedHashMap<>();

    static {
        add("a cloud's metadata", "169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192",
                "fd00:ec2::254");
        add("unspecified", "0.0.0.0/8", "::");
        add("loopback", "127.0.0.0/8", "::1");
        add("private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10");
        add("shared with the provider", "100.64.0.0/10");
        add("link-local", "169.254.0.0/16", "fe80::/10");
        add("documentation", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20");
        add("benchmarking", "198.18.0.0/15");
        add("reserved for protocols", "192.0.0.0/24", "2001::/23");
        add("6to4", "192.88.99.0/24", "2002::/16");
        add("multicast", "224.0.0.0/4", "ff00::/8");
        add("broadcast", "255.255.255.255");
        add("reserved", "240.0.0.0/4");
        add("an IPv4 address inside IPv6", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48");
    }

    private SpecialAddresses() {}

    /// Returns the kind of a special address; empty for a public one.
    static Optional<String> kind(InetAddress address) {
        Optional<String> kind = KINDS.entrySet().stream().filter(range -> range.getKey().contains(address))
                .map(Map.Entry::getValue).findFirst();
        if (kind.isPresent() || address instanceof Inet4Address || GLOBAL_UNICAST.contains(address))
            return kind;
        return Optional.of("not a public IPv6 address");
    }

    private static void add(String kind, String... ranges) {
        for (String range : ranges)
            KINDS.put(AddressRange.parse(range), kind);
    }
}
