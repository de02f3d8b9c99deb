package dev.toolfleet.worker.tools.httpfetch;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.egress.AddressLookup;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.tools.args.Arguments;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `http-fetch` with the exports `get` and `post`. Parameters and results are Goondan's, with
/// `bodyEncoding` and `redirects`. Any status is a result. Only hosts on the public internet are reached, unless the
/// operator allows others: see [Destinations].
public final class HttpFetchModule implements ToolModule, Authorized {
    private static final long DEFAULT_TIMEOUT_MS = 30_000;
    private static final long DEFAULT_MAX_BYTES = 500_000;
    /// Kept free before the deadline, so that the answer still reaches the caller.
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final LongSupplier nanos;
    private final EgressList egress;
    private final AddressLookup lookup;
    private final Connector connector;
    private volatile HttpFetchConfig config = HttpFetchConfig.DEFAULT;
    private volatile @Nullable TokenSource tokens;

    /// Creates a module with this machine's name service and this JVM's trusted certificates.
    ///
    /// @param egress the hosts that tools may reach
    public HttpFetchModule(EgressList egress) {
        this(InstantSource.system(), System::nanoTime, egress, AddressLookup.ofMachine(),
                (socket, host, port, attachment, context) -> JvmTrust.TLS.upgrade(socket, host, port, attachment,
                        context));
    }

    /// Read at the first fetch over https: it takes a while, and many fleets never fetch.
    private static final class JvmTrust {
        static final TlsSocketStrategy TLS = DefaultClientTlsStrategy.createDefault();
    }

    HttpFetchModule(InstantSource clock, LongSupplier nanos, EgressList egress, AddressLookup lookup,
            TlsSocketStrategy tls) {
        this.clock = clock;
        this.nanos = nanos;
        this.egress = egress;
        this.lookup = lookup;
        this.connector = new Connector(tls);
    }

    @Override
    public void configure(ObjectNode json) {
        config = HttpFetchConfig.of(json);
    }

    @Override
    public void tokens(TokenSource source) {
        tokens = source;
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("get", (ctx, input) -> fetch(ctx, new Arguments(input), "GET"), "post",
                (ctx, input) -> fetch(ctx, new Arguments(input), "POST"));
    }

    private ToolOutput fetch(ToolContext ctx, Arguments args, String method) throws InterruptedException {
        Request request = request(args, method);
        TokenSource source = tokens;
        if (source != null && config.isAuthorized(request.target())) {
            if (request.headers().values().containsKey("authorization"))
                throw Arguments.invalid("The header 'authorization' cannot be set for " + request.target().host(),
                        "Leave it out; the fleet sets it for the user of the call.");
            request = switch (source.get(ctx)) {
                case TokenAnswer.Ready ready -> request.with("authorization", ready.header());
                // The declared output has no place for a link.
                case TokenAnswer.Required required -> throw new ToolException("E_HTTP_UNAUTHORIZED",
                        required.message() + " " + required.authorizationUrl());
                case TokenAnswer.Failed(String code, String message) ->
                    throw new ToolException("E_HTTP_UNAUTHORIZED", code + ": " + message);
            };
        }
        long maxBytes = args.number("maxBytes", DEFAULT_MAX_BYTES);
        if (maxBytes < 1)
            throw Arguments.invalid("'maxBytes' must be greater than 0");
        HttpFetchConfig current = config;
        Connector.Limits limits = new Connector.Limits((int) Math.min(maxBytes, current.maxBytes()),
                current.maxBytes());
        Duration time = timeout(args.number("timeoutMs", DEFAULT_TIMEOUT_MS),
                Duration.between(clock.instant(), ctx.deadline()));
        long start = nanos.getAsLong();
        Fetches.Fetched fetched = new Fetches(new Destinations(egress, current, lookup), connector).fetch(request,
                time, limits);
        long durationMs = Duration.ofNanos(nanos.getAsLong() - start).toMillis();
        return ToolOutput.of(fetched.answer().json(fetched.redirects(), durationMs));
    }

    private static Request request(Arguments args, String method) {
        Target target = Target.parse(args.requiredText("url"));
        RequestHeaders headers = RequestHeaders.of(args.scalars("headers"));
        JsonNode body = method.equals("POST") ? args.input().get("body") : null;
        if (body != null && !body.isObject())
            throw Arguments.invalid("'body' must be a JSON object", "Pass any other body as text in bodyString.");
        if (body != null)
            return new Request(method, target, headers.orElse("content-type", "application/json"),
                    Optional.of(new Request.Body(Json.MAPPER.writeValueAsString(body))));
        if (method.equals("POST") && args.input().has("bodyString"))
            return new Request(method, target, headers.orElse("content-type", "text/plain; charset=utf-8"),
                    Optional.of(new Request.Body(args.text("bodyString"))));
        return new Request(method, target, headers, Optional.empty());
    }

    /// The call's own timeout, or the longest that lets an answer reach the caller before the deadline.
    static Duration timeout(long timeoutMs, Duration untilDeadline) {
        if (timeoutMs < 1)
            throw Arguments.invalid("'timeoutMs' must be greater than 0");
        Duration quarter = untilDeadline.dividedBy(4);
        Duration longest = untilDeadline.minus(quarter.compareTo(MARGIN) < 0 ? quarter : MARGIN);
        Duration asked = Duration.ofMillis(timeoutMs);
        Duration time = asked.compareTo(longest) < 0 ? asked : longest;
        return time.isPositive() ? time : Duration.ofMillis(1);
    }
}
