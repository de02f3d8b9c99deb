package dev.toolfleet.worker.tools.httpfetch;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.worker.egress.HostPattern;
import dev.toolfleet.worker.egress.PortRules;

/// Which hosts may be named in a URL: those on the allow list, all when it is empty, without those on the deny list.
record HostRules(List<HostPattern> allow, List<HostPattern> deny) {
    static final HostRules ALL = new HostRules(List.of(), List.of());

    /// Returns the reason why the host is forbidden, as a sentence without its subject; empty if it is allowed.
    Optional<String> refusal(String host, int port) {
        if (deny.stream().anyMatch(entry -> entry.matches(host, port, PortRules.ANY)))
            return Optional.of("is denied by the operator");
        if (!allow.isEmpty() && allow.stream().noneMatch(entry -> entry.matches(host, port, PortRules.ANY)))
            return Optional.of("is not among the hosts that the operator allows");
        return Optional.empty();
    }
}
