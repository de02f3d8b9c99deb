package dev.toolfleet.worker.tools.httpfetch;

import java.util.List;
import java.util.Optional;

/// Which hosts may be named in a URL: those on the allow list, all when it is empty, without those on the deny list. An
/// entry is a host's name or literal address, or `*.example.com` for all names below `example.com`.
record HostRules(List<String> allow, List<String> deny) {
    static final HostRules ALL = new HostRules(List.of(), List.of());

    /// What forbids the host, as a sentence without its subject.
    Optional<String> refusal(String host) {
        if (deny.stream().anyMatch(entry -> matches(entry, host)))
            return Optional.of("is denied by the operator");
        if (!allow.isEmpty() && allow.stream().noneMatch(entry -> matches(entry, host)))
            return Optional.of("is not among the hosts that the operator allows");
        return Optional.empty();
    }

    private static boolean matches(String entry, String host) {
        return entry.startsWith("*.") ? host.endsWith(entry.substring(1)) : host.equals(entry);
    }
}
