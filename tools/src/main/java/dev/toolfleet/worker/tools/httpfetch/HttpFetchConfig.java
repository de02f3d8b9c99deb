package dev.toolfleet.worker.tools.httpfetch;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.worker.egress.AddressRange;
import dev.toolfleet.worker.egress.AddressRules;
import dev.toolfleet.worker.egress.HostPattern;
import dev.toolfleet.worker.egress.PortRules;
import dev.toolfleet.worker.tools.args.ToolConfig;
import tools.jackson.databind.node.ObjectNode;

/// Settings of the tool, from its `spec.config`.
///
/// @param hosts which hosts may be named
/// @param addresses which addresses may be reached
/// @param ports which ports may be reached
/// @param authorized hosts that get the token of the call's user
/// @param maxBytes the most of a body that one call returns, as JSON, whatever the model requests
record HttpFetchConfig(HostRules hosts, AddressRules addresses, PortRules ports, List<HostPattern> authorized,
        int maxBytes) {
    static final HttpFetchConfig DEFAULT = new HttpFetchConfig(HostRules.ALL, AddressRules.PUBLIC_ONLY, PortRules.WEB,
            List.of(), 1_000_000);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    static final String RANGES = "addresses or ranges such as 10.1.0.0/16";
    static final String PORTS = "texts such as \"443\" or \"8000-8999\"";

    static HttpFetchConfig of(ObjectNode json) {
        ToolConfig config = new ToolConfig("http-fetch", json,
                Set.of("allowHosts", "denyHosts", "allowAddresses", "denyAddresses", "allowPorts", "authorizedHosts",
                        "maxBytes"));
        return new HttpFetchConfig(new HostRules(hosts(config, "allowHosts"), hosts(config, "denyHosts")),
                new AddressRules(ranges(config, "allowAddresses"), ranges(config, "denyAddresses")),
                new PortRules(config.list("allowPorts", PortRules.Range::parse, PortRules.WEB.ranges(), PORTS)),
                hosts(config, "authorizedHosts"),
                config.positive("maxBytes", DEFAULT.maxBytes));
    }

    /// True if the token of the call's user may go there: over TLS, or to an address of this machine.
    boolean isAuthorized(Target target) {
        return (target.secure() || LOOPBACK.contains(target.host()))
                && authorized.stream().anyMatch(host -> host.matches(target.host(), target.port(), PortRules.ANY));
    }

    private static List<HostPattern> hosts(ToolConfig config, String key) {
        return config.list(key, HostPattern::parse, List.of(), HostPattern.FORM);
    }

    private static List<AddressRange> ranges(ToolConfig config, String key) {
        return config.list(key, AddressRange::parse, List.of(), RANGES);
    }

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
}
