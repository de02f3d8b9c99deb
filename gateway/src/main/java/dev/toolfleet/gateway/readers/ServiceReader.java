package dev.toolfleet.gateway.readers;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.InstanceViews;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Client of the catalog services, or of the session services. Nothing of a client's request goes there but the names in
/// the path, the parameters of the view and its validator.
///
/// **Contract.** The token goes to the configured address only. A service that does not have the step names another one
/// (decision 20), which gets a signature of this request instead: it authorises nothing else. Otherwise: a service that
/// answers with a foreign address is sent the token of the fleet.
///
/// **Threads.** Thread-safe.
public final class ServiceReader implements InstanceViews, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceReader.class);
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final int REDIRECT = 307;
    private static final int INVALID = 400;
    private static final int UNFIT = 422;
    private static final int UNKNOWN = 404;
    private static final int MAX_BODY = 16 * 1024 * 1024;
    /// Headers about the step.
    private static final String OWN = "toolfleet-";
    private static final List<String> FORWARDED = List.of("etag", "cache-control", "content-type");

    /// Validators that are sent on; another one could be no header's value, and matches nothing.
    private static final Pattern VALIDATORS = Pattern.compile("[ -~]{1,1000}");

    private final ServiceAddress address;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(WITHIN.dividedBy(2))
            .executor(Executors.newVirtualThreadPerTaskExecutor()).build();

    /// @param address of the services
    public ServiceReader(ServiceAddress address) {
        this.address = address;
    }

    @Override
    public Answer<Shown> read(View view, String instanceKey, String agent, Map<String, String> parameters,
            @Nullable String ifNoneMatch) {
        String query = parameters.entrySet().stream().map(one -> one.getKey() + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&"));
        URI uri = URI.create(address.url() + "/v1/instances/" + encoded(instanceKey) + "/agents/" + encoded(agent)
                + "/" + view.path() + (query.isEmpty() ? "" : "?" + query));
        try {
            HttpRequest.Builder request = request(uri, ifNoneMatch);
            address.token().ifPresent(token -> request.header("Authorization", token.authorization()));
            HttpResponse<byte[]> response = send(request);
            if (response.statusCode() == REDIRECT)
                response = send(redirected(uri, response, ifNoneMatch));
            return answer(view, response);
        } catch (IOException e) {
            LOG.atWarn().addKeyValue(ListLogKeys.REASON, e.toString()).log("service of the fleet does not answer");
            return new Answer.Unavailable<>(
                    "the " + service(view) + " service does not answer; the log of the gateway has the reason");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Unavailable<>("the request was interrupted");
        }
    }

    private static HttpRequest.Builder request(URI uri, @Nullable String ifNoneMatch) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(WITHIN);
        if (ifNoneMatch != null && VALIDATORS.matcher(ifNoneMatch).matches())
            request.header("If-None-Match", ifNoneMatch);
        return request;
    }

    private HttpRequest.Builder redirected(URI from, HttpResponse<byte[]> response, @Nullable String ifNoneMatch)
            throws IOException {
        String location = response.headers().firstValue("Location").orElse("");
        if (location.isBlank())
            throw new IOException("redirected to no address");
        try {
            URI to = from.resolve(location);
            HttpRequest.Builder request = request(to, ifNoneMatch);
            address.token().ifPresent(token -> request.header("Authorization", token.signed(to, Instant.now())));
            return request;
        } catch (IllegalArgumentException e) {
            throw new IOException("redirected to no address", e);
        }
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(),
                HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), MAX_BODY));
    }

    private static Answer<Shown> answer(View view, HttpResponse<byte[]> response) {
        return switch (response.statusCode()) {
            case OK, INVALID, UNFIT -> new Answer.Found<>(new Shown(response.statusCode(), headers(response),
                    response.body()));
            case NOT_MODIFIED -> new Answer.Found<>(new Shown(NOT_MODIFIED, headers(response), null));
            case UNKNOWN -> new Answer.Unknown<>(view.isOfSessions()
                    ? "no message was written within session.retention, and no call has a result"
                    : "no step of this agent was announced in this instance within catalog.retention");
            default -> {
                LOG.atWarn().addKeyValue(ListLogKeys.STATUS, response.statusCode())
                        .log("service of the fleet refused a read; has the gateway its token?");
                yield new Answer.Unavailable<>(
                        "the " + service(view) + " service cannot answer, or refuses the gateway;"
                                + " the log of the gateway has its status");
            }
        };
    }

    private static String service(View view) {
        return view.isOfSessions() ? "session" : "catalog";
    }

    private static Map<String, String> headers(HttpResponse<byte[]> response) {
        Map<String, String> headers = new LinkedHashMap<>();
        response.headers().map().forEach((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith(OWN) || FORWARDED.contains(lower))
                headers.put(lower, values.getFirst());
        });
        return headers;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
