package dev.toolfleet.worker.egress;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/// Which addresses may be reached: the public ones and those that the operator allows, without those that he denies.
public record AddressRules(List<AddressRange> allow, List<AddressRange> deny) {
    /// Nothing but public ones.
    public static final AddressRules PUBLIC_ONLY = new AddressRules(List.of(), List.of());

    /// Returns the reason why the address is forbidden, as a clause that follows "the address is"; empty if it is
    /// allowed.
    ///
    /// @param own the networks to which this machine belongs
    public Optional<String> refusal(InetAddress address, List<AddressRange> own) {
        if (deny.stream().anyMatch(range -> range.contains(address)))
            return Optional.of("one that the operator denies");
        if (allow.stream().anyMatch(range -> range.contains(address)))
            return Optional.empty();
        if (own.stream().anyMatch(range -> range.contains(address)))
            return Optional.of("of this machine's own network");
        return SpecialAddresses.kind(address);
    }
}
