package dev.toolfleet.http;

import java.util.function.Supplier;

import io.javalin.config.RoutesConfig;

/// The meters in the text form of Prometheus. Needs the token, since the answer holds names of topics and hosts.
public final class MetricsRoute implements Route {
    private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final Supplier<String> scrape;

    /// @param scrape makes the text
    public MetricsRoute(Supplier<String> scrape) {
        this.scrape = scrape;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/metrics", ctx -> ctx.contentType(CONTENT_TYPE).result(scrape.get()));
    }
}
