package dev.toolfleet.oauth.server;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.nimbusds.oauth2.sdk.http.HTTPRequestSender;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPRequest;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPResponse;

/// Sender of requests to authorization servers, with a bound on the whole exchange and on the size of the answer. Otherwise:
/// a server that sends a byte a second, or without end, takes a permit or the memory of the owner.
///
/// **Threads.** Thread-safe. A request blocks its caller's thread.
final class BoundedSender implements HTTPRequestSender {
    /// The largest answer, in bytes.
    static final int LARGEST = 1 << 20;
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final Duration most;
    // A redirect would carry codes and secrets to another address.
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER).build();

    /// @param most the longest time from the connection to the end of the answer
    BoundedSender(Duration most) {
        this.most = most;
    }

    @Override
    public ReadOnlyHTTPResponse send(ReadOnlyHTTPRequest request) throws IOException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.getURI()).method(request.getMethod().name(),
                request.getBody() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.getBody()));
        request.getHeaderMap().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        CompletableFuture<HttpResponse<String>> exchange = client.sendAsync(builder.build(),
                BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), LARGEST));
        try {
            HttpResponse<String> answer = exchange.get(most.toMillis(), TimeUnit.MILLISECONDS);
            HTTPResponse response = new HTTPResponse(answer.statusCode());
            answer.headers().map().forEach((name, values) -> response.setHeader(name, values.toArray(String[]::new)));
            response.setBody(answer.body());
            return response;
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + most.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException broken ? broken : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            exchange.cancel(true);
        }
    }
}
