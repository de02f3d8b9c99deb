package dev.toolfleet.worker.tools.httpfetch;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.egress.HostName;
import dev.toolfleet.worker.tools.args.Arguments;

/// Destination of a request: a URL read so strictly that no other reader could understand another host. Checks and
/// connection use the same [HostName].
///
/// @param scheme `http` or `https`
/// @param path path and query as they are sent
record Target(String scheme, HostName hostName, int port, String path) {
    private static final int MAX_LENGTH = 8000;
    private static final int MAX_PORT = 65_535;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    /// Printable ASCII that a URI cannot hold and that people write all the same.
    private static final String ESCAPED = " \"<>^`{|}";
    private static final String PLAIN_URL = "Write the whole URL, such as https://example.com/path?query.";

    /// Reads an absolute URL.
    ///
    /// @throws ToolException `E_TOOL_INVALID_ARGS`
    static Target parse(String raw) {
        return of(uri(raw), raw);
    }

    /// Reads where a redirect leads, which may be relative to this.
    Target resolve(String location) {
        String bare = location.substring(0, (location + "#").indexOf('#'));
        // RFC 3986 keeps the path here; java.net.URI would cut it.
        String reference = bare.isEmpty() || bare.startsWith("?") ? path.replaceFirst("\\?.*", "") + bare : bare;
        return of(URI.create(url()).resolve(uri(reference)), location);
    }

    /// Host as it stands in a URL.
    String host() {
        return hostName.text();
    }

    Optional<InetAddress> literal() {
        return hostName.literal();
    }

    boolean secure() {
        return scheme.equals("https");
    }

    boolean sameOrigin(Target other) {
        return scheme.equals(other.scheme) && host().equals(other.host()) && port == other.port;
    }

    /// Normalised, without user and fragment.
    String url() {
        return origin() + path;
    }

    private String origin() {
        return scheme + "://" + host() + (port == defaultPort(scheme) ? "" : ":" + port);
    }

    private static Target of(URI uri, String raw) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.isEmpty())
            throw invalid(raw, "");
        if (!scheme.equals("http") && !scheme.equals("https"))
            throw Arguments.invalid("Unsupported protocol '" + scheme + ":'. Only http: and https: are allowed.",
                    "Use a URL that begins with http:// or https://.");
        String authority = uri.getRawAuthority();
        if (authority == null || authority.isEmpty())
            throw invalid(raw, "");
        if (authority.indexOf('@') >= 0)
            throw Arguments.invalid("A URL with a user in it is not fetched: it hides which host is meant",
                    "Write the host alone; send credentials in the header Authorization.");
        int colon = authority.indexOf(':', authority.lastIndexOf(']') + 1);
        HostName host = HostName.parse(colon < 0 ? authority : authority.substring(0, colon));
        int port = port(colon < 0 ? "" : authority.substring(colon + 1), scheme, raw);
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new Target(scheme, host, port, path + query);
    }

    private static int port(String text, String scheme, String raw) {
        if (text.isEmpty())
            return defaultPort(scheme);
        int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > MAX_PORT)
            throw invalid(raw, "its port is none");
        return port;
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }

    private static URI uri(String raw) {
        if (raw.length() > MAX_LENGTH)
            throw Arguments.invalid("The URL is longer than " + MAX_LENGTH + " characters", "Use a shorter one.");
        if (raw.indexOf('\\') >= 0)
            throw invalid(raw, "it has a backslash, which some read as a slash");
        try {
            return new URI(escaped(raw)).normalize();
        } catch (URISyntaxException e) {
            throw invalid(raw, e.getReason());
        }
    }

    /// Escapes the characters that a URI may not hold. The host is not escaped: [HostName] checks it.
    private static String escaped(String raw) {
        StringBuilder escaped = new StringBuilder();
        for (int at = 0; at < raw.length(); at += Character.charCount(raw.codePointAt(at))) {
            int c = raw.codePointAt(at);
            if (Character.isISOControl(c))
                throw invalid("", "it has a control character at " + at);
            if (c < 0x80 && ESCAPED.indexOf(c) < 0)
                escaped.appendCodePoint(c);
            else
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8))
                    escaped.append('%').append(HEX.toHexDigits(b));
        }
        return escaped.toString();
    }

    private static ToolException invalid(String raw, String problem) {
        String shown = raw.length() <= 200 ? raw : raw.substring(0, 200) + "…";
        return Arguments.invalid("Invalid URL: " + shown + (problem.isEmpty() ? "" : " (" + problem + ")"), PLAIN_URL);
    }
}
