package dev.toolfleet.mcp.transport;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/// Address of a server, and the headers for it.
///
/// @param uri the endpoint
/// @param headers headers of each request, such as `Authorization`; read for each request anew
/// @param connectTimeout the longest wait for a connection
public record HttpEndpoint(URI uri, Supplier<Map<String, String>> headers, Duration connectTimeout) {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /// Checks the address.
    public HttpEndpoint {
        if ((!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) || uri.getHost() == null)
            throw new IllegalArgumentException("'" + uri + "' is no http or https address of a server");
    }

    /// An endpoint with these headers.
    ///
    /// @throws IllegalArgumentException for a header that a request cannot carry
    public static HttpEndpoint of(URI uri, Map<String, String> headers) {
        HttpEndpoint endpoint = new HttpEndpoint(uri, () -> headers, CONNECT);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        headers.forEach(request::setHeader);
        return endpoint;
    }
}
