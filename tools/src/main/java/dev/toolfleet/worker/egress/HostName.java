package dev.toolfleet.worker.egress;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.tool.ToolException;

/// The host of a URL, in the one spelling that every reader understands alike: a name in lower-case ASCII, four decimal
/// numbers, or an IPv6 address. Spellings that some readers take for an address and others for a name are refused:
/// `0x7f.1`, `2130706433`, `017700000001`, `127.1`, letters and dots beyond ASCII, percent signs, zones.
///
/// @param text as it stands in a URL, an IPv6 address in brackets
/// @param literal the address, when the host is one
public record HostName(String text, Optional<InetAddress> literal) {
    private static final int MAX_LENGTH = 253;
    private static final Pattern NAME = Pattern
            .compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*");
    private static final Pattern NUMBER = Pattern.compile("([a-z0-9_.-]*\\.)?(\\d+|0x[0-9a-f]*)");
    private static final String BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern DECIMAL = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+]");

    /// Reads a host, in any case and with or without the dot that ends a full name.
    ///
    /// @throws ToolException `E_TOOL_INVALID_ARGS` with the right spelling
    public static HostName parse(String given) {
        String text = given.toLowerCase(Locale.ROOT);
        if (text.startsWith("["))
            return ipv6(text);
        if (text.endsWith("."))
            text = text.substring(0, text.length() - 1);
        if (DECIMAL.matcher(text).matches())
            return new HostName(text, Optional.of(InetAddress.ofLiteral(text)));
        if (NUMBER.matcher(text).matches())
            throw invalid(given, "it is neither a name nor an address of four decimal numbers",
                    "Write an IPv4 address as four decimal numbers, such as 192.0.2.1.");
        if (text.length() > MAX_LENGTH || !NAME.matcher(text).matches())
            throw invalid(given, "it is not a host name in ASCII",
                    "Write the name in letters, digits, dots and hyphens; an international one in its ASCII form, which"
                            + " begins with xn--.");
        return new HostName(text, Optional.empty());
    }

    /// The host, if the text is one.
    static Optional<HostName> ifOne(String given) {
        try {
            return Optional.of(parse(given));
        } catch (ToolException e) {
            return Optional.empty();
        }
    }

    private static HostName ipv6(String text) {
        if (!IPV6.matcher(text).matches())
            throw invalid(text, "it is not an IPv6 address", "Write it in brackets, such as [2001:db8::1].");
        try {
            InetAddress address = InetAddress.ofLiteral(text.substring(1, text.length() - 1));
            // An IPv4 address inside IPv6 is that IPv4 address, to rules and to the connection.
            String plain = address.getHostAddress();
            return new HostName(address instanceof Inet6Address ? "[" + plain + "]" : plain, Optional.of(address));
        } catch (IllegalArgumentException e) {
            throw invalid(text, "it is not an IPv6 address", "Write it in brackets, such as [2001:db8::1].");
        }
    }

    private static ToolException invalid(String given, String problem, String suggestion) {
        return new ToolException(ErrorCode.E_TOOL_INVALID_ARGS.name(),
                "The host '" + given + "' cannot be used: " + problem).suggestion(suggestion);
    }
}
