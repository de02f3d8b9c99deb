package dev.toolfleet.worker.egress;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.tool.ToolException;

/// Head of a request to a proxy (RFC 9110, RFC 9112), read so strictly that no server reads another destination or another
/// length. Pure.
///
/// @param version `HTTP/1.1` or `HTTP/1.0`
/// @param target as it goes to the server: path and query; empty for a tunnel
/// @param headers lines without those that are for the proxy
record RequestHead(String method, String version, HostName host, int port, String target, List<String> headers,
        Body body) {
    private static final Pattern REQUEST = Pattern.compile("([A-Z]{1,20}) ([!-~]+) (HTTP/1\\.[01])");
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*(.*?)[ \\t]*");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f]");
    private static final Set<String> FOR_THE_PROXY = Set.of("connection", "proxy-connection", "proxy-authorization",
            "proxy-authenticate", "keep-alive", "te", "upgrade", "host");
    private static final String TUNNEL = "CONNECT";
    private static final String SCHEME = "http://";
    private static final int HTTP = 80;

    /// The body that follows.
    sealed interface Body {
        /// One of known length, 0 for none.
        record Sized(long bytes) implements Body {}

        /// One in chunks.
        record Chunked() implements Body {}
    }

    /// Request that cannot be read, with the reason as a sentence.
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;

        Unreadable(String message) {
            super(message);
        }
    }

    boolean isTunnel() {
        return method.equals(TUNNEL);
    }

    /// Reads a head.
    ///
    /// @param text without the empty line that ends it
    /// @throws Unreadable when it is not that of a request to a proxy
    static RequestHead parse(String text) throws Unreadable {
        List<String> lines = List.of(text.split("\r\n", -1));
        for (String line : lines)
            if (CONTROL.matcher(line).find())
                throw new Unreadable("The request has a control character.");
        Matcher request = REQUEST.matcher(lines.getFirst());
        if (!request.matches())
            throw new Unreadable("The request is not one of HTTP/1.1.");
        Fields fields = new Fields(lines.subList(1, lines.size()));
        String method = request.group(1);
        String target = request.group(2);
        try {
            if (method.equals(TUNNEL)) {
                RequestedHost to = RequestedHost.parse(target);
                if (to.port().isEmpty())
                    throw new Unreadable("A tunnel leads to a host and a port.");
                return new RequestHead(method, request.group(3), to.host(), to.port().getAsInt(), "", List.of(),
                        new Body.Sized(0));
            }
            return plain(method, target, request.group(3), fields);
        } catch (ToolException e) {
            throw new Unreadable(e.getMessage() + ".");
        }
    }

    private static RequestHead plain(String method, String url, String version, Fields fields) throws Unreadable {
        if (!url.toLowerCase(Locale.ROOT).startsWith(SCHEME))
            throw new Unreadable("This is a proxy: it takes http:// URLs and, for everything else, tunnels (CONNECT).");
        String rest = url.substring(SCHEME.length());
        int end = 0;
        while (end < rest.length() && "/?".indexOf(rest.charAt(end)) < 0)
            end++;
        String authority = rest.substring(0, end);
        if (authority.indexOf('@') >= 0 || rest.indexOf('#') >= 0 || rest.indexOf('\\') >= 0)
            throw new Unreadable("The URL has a user, a fragment or a backslash.");
        RequestedHost to = RequestedHost.parse(authority);
        String path = rest.substring(end);
        return new RequestHead(method, version, to.host(), to.port().orElse(HTTP),
                path.startsWith("/") ? path : "/" + path, fields.forServer(), fields.body());
    }

    /// The head as it goes to the server, which closes the connection after its answer.
    byte[] forServer() {
        StringBuilder head = new StringBuilder(method).append(' ').append(target).append(' ').append(version)
                .append("\r\nHost: ").append(host.text());
        if (port != HTTP)
            head.append(':').append(port);
        head.append("\r\n");
        headers.forEach(line -> head.append(line).append("\r\n"));
        return head.append("Connection: close\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /// The lines of a head.
    private static final class Fields {
        private final List<String> forServer = new ArrayList<>();
        private Optional<String> length = Optional.empty();
        private Optional<String> coding = Optional.empty();
        private final List<String> named = new ArrayList<>();

        Fields(List<String> lines) throws Unreadable {
            List<String[]> fields = new ArrayList<>();
            for (String line : lines) {
                Matcher header = HEADER.matcher(line);
                if (!header.matches())
                    throw new Unreadable("The request has a line that is no header.");
                String[] field = {header.group(1).toLowerCase(Locale.ROOT), header.group(2), line};
                fields.add(field);
                if (field[0].equals("connection"))
                    named.addAll(List.of(field[1].toLowerCase(Locale.ROOT).split("[ \\t]*,[ \\t]*")));
            }
            for (String[] field : fields)
                take(field[0], field[1], field[2]);
        }

        private void take(String name, String value, String line) throws Unreadable {
            if (name.equals("content-length"))
                length = Optional.of(once(length, value));
            if (name.equals("transfer-encoding"))
                coding = Optional.of(once(coding, value.toLowerCase(Locale.ROOT)));
            boolean framing = name.equals("content-length") || name.equals("transfer-encoding");
            if (framing || (!FOR_THE_PROXY.contains(name) && !named.contains(name)))
                forServer.add(line);
        }

        private static String once(Optional<String> before, String value) throws Unreadable {
            if (before.isPresent())
                throw new Unreadable("The request gives its length twice.");
            return value;
        }

        List<String> forServer() {
            return List.copyOf(forServer);
        }

        Body body() throws Unreadable {
            if (coding.isPresent()) {
                if (length.isPresent() || !coding.get().equals("chunked"))
                    throw new Unreadable("The request gives its length in two ways, or in an unknown one.");
                return new Body.Chunked();
            }
            String digits = length.orElse("0");
            if (!digits.matches("\\d{1,18}"))
                throw new Unreadable("The request has no length that can be read.");
            return new Body.Sized(Long.parseLong(digits));
        }
    }
}
