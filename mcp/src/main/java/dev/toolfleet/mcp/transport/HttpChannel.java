package dev.toolfleet.mcp.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.toolfleet.mcp.rpc.RpcCodec;

/// HTTP client of one connection to a server.
///
/// **Why.** HTTP/1.1: the end of a response's stream is the end of its connection, which is how a modern call is
/// cancelled. Redirects are not followed: a call must not reach an address that is not configured.
public final class HttpChannel implements AutoCloseable {
    private static final int EXCERPT = 2_000;

    private final HttpEndpoint endpoint;
    private final RpcCodec codec;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    /// A client of that endpoint.
    public HttpChannel(HttpEndpoint endpoint, RpcCodec codec) {
        this.endpoint = endpoint;
        this.codec = codec;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(threads)
                .connectTimeout(endpoint.connectTimeout()).followRedirects(HttpClient.Redirect.NEVER).build();
    }

    HttpClient client() {
        return client;
    }

    RpcCodec codec() {
        return codec;
    }

    /// Returns a request with the headers of the endpoint and these.
    HttpRequest.Builder request(Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.uri());
        endpoint.headers().get().forEach(request::setHeader);
        headers.forEach(request::setHeader);
        return request;
    }

    /// Reads at most the limit of a body.
    byte[] bytes(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(codec.limits().maxBytes() + 1);
        if (bytes.length > codec.limits().maxBytes())
            throw new IOException("a body of more than " + codec.limits().maxBytes() + " bytes");
        return bytes;
    }

    /// Returns the refusal that a response is.
    static NoAnswer.Rejected rejected(HttpResponse<?> response, byte[] body) {
        Map<String, String> headers = new TreeMap<>();
        response.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT),
                String.join(", ", values)));
        String text = new String(body, 0, Math.min(body.length, EXCERPT), StandardCharsets.UTF_8);
        return new NoAnswer.Rejected(response.statusCode(), text, headers);
    }

    /// Returns the media type of a response, without parameters, in lower case.
    static String mediaType(HttpResponse<?> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdownNow();
    }
}
