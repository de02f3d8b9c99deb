package dev.toolfleet.worker.egress;

import java.util.List;
import java.util.stream.Collectors;

/// Which ports may be reached. By default those of web servers: others speak protocols to which a request may mean
/// something else.
public record PortRules(List<Range> ranges) {
    private static final int MAX_PORT = 65_535;
    /// Those of web servers.
    public static final PortRules WEB = new PortRules(
            List.of(Range.parse("80"), Range.parse("443"), Range.parse("8080"), Range.parse("8443")));

    /// All of them.
    public static final PortRules ANY = new PortRules(List.of(new Range(1, MAX_PORT)));

    /// Ports from one to another, both included.
    public record Range(int from, int to) {
        /// Refuses numbers that are no ports.
        public Range {
            if (from < 1 || to > MAX_PORT || from > to)
                throw new IllegalArgumentException("ports go from 1 to " + MAX_PORT);
        }

        /// Reads ports such as `443` or `8000-8999`.
        ///
        /// @throws IllegalArgumentException when they are none
        public static Range parse(String text) {
            int dash = text.indexOf('-');
            return dash < 0
                    ? new Range(Integer.parseInt(text), Integer.parseInt(text))
                    : new Range(Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
        }

        @Override
        public String toString() {
            return from == to ? "" + from : from + "-" + to;
        }
    }

    /// True if a port is one of these.
    public boolean allows(int port) {
        return ranges.stream().anyMatch(range -> range.from() <= port && port <= range.to());
    }

    /// For people.
    public String shown() {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(", "));
    }
}
