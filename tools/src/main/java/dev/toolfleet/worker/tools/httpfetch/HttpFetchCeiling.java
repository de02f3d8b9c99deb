package dev.toolfleet.worker.tools.httpfetch;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;

import dev.toolfleet.config.Settings;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.egress.AddressRange;
import dev.toolfleet.worker.egress.HostPattern;
import dev.toolfleet.worker.egress.PortRules;
import dev.toolfleet.worker.tools.args.Ceiling;

/// The most that a bundle may open of `http-fetch`. Denials are not bounded.
public final class HttpFetchCeiling {
    private HttpFetchCeiling() {}

    /// Reads `worker.tools.http-fetch.ceiling`.
    public static Ceiling of(Settings ceiling) {
        return new Ceiling.Reader(ceiling)
                .narrowing("allowHosts", HttpFetchCeiling::host, List.of(Ceiling.ANY), true, HostPattern::parse,
                        HostPattern.FORM)
                .opening("allowAddresses", List.of(), HttpFetchCeiling::address, AddressRange::parse,
                        HttpFetchConfig.RANGES)
                .opening("authorizedHosts", List.of(Ceiling.ANY), HttpFetchCeiling::host, HostPattern::parse,
                        HostPattern.FORM)
                .narrowing("allowPorts", HttpFetchCeiling::port,
                        PortRules.WEB.ranges().stream().map(PortRules.Range::toString).toList(), false,
                        PortRules.Range::parse, HttpFetchConfig.PORTS)
                .most("maxBytes", HttpFetchConfig.DEFAULT.maxBytes()).read();
    }

    private static boolean host(String most, String named) {
        return readable(HostPattern::parse, most, named, HostPattern::covers);
    }

    private static boolean address(String most, String named) {
        return readable(AddressRange::parse, most, named, AddressRange::covers);
    }

    private static boolean port(String most, String named) {
        return readable(PortRules.Range::parse, most, named,
                (wide, narrow) -> wide.from() <= narrow.from() && narrow.to() <= wide.to());
    }

    /// Treats a value that cannot be read as within nothing.
    private static <T> boolean readable(Function<String, T> read, String most, String named,
            BiPredicate<T, T> covers) {
        try {
            return covers.test(read.apply(most), read.apply(named));
        } catch (IllegalArgumentException | ToolException e) {
            return false;
        }
    }
}
