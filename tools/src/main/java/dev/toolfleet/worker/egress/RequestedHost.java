package dev.toolfleet.worker.egress;

import java.util.OptionalInt;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.tool.ToolException;

/// Host and port as they stand in a URL or in a request to a proxy.
///
/// @param port empty when none is named
record RequestedHost(HostName host, OptionalInt port) {
    private static final int MAX_PORT = 65_535;

    /// Reads `host` or `host:port`.
    ///
    /// @throws ToolException `E_TOOL_INVALID_ARGS` that describes the fault
    static RequestedHost parse(String text) {
        int colon = text.indexOf(':', text.lastIndexOf(']') + 1);
        HostName host = HostName.parse(colon < 0 ? text : text.substring(0, colon));
        return new RequestedHost(host, colon < 0 ? OptionalInt.empty() : OptionalInt.of(port(text, colon)));
    }

    private static int port(String text, int colon) {
        String digits = text.substring(colon + 1);
        int port = digits.matches("\\d{1,5}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > MAX_PORT)
            throw new ToolException(ErrorCode.E_TOOL_INVALID_ARGS.name(), "The port of '" + text + "' is none")
                    .suggestion("Ports go from 1 to " + MAX_PORT + ".");
        return port;
    }
}
