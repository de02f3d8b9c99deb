package dev.toolfleet.http;

import java.time.Duration;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import io.micrometer.core.instrument.MeterRegistry;

/// Admits and measures every request.
final class Requests implements Route {
    private static final String BEGAN = "toolfleet.began";

    private final Admission admission;
    private final MeterRegistry meters;

    Requests(Admission admission, MeterRegistry meters) {
        this.admission = admission;
        this.meters = meters;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.before(ctx -> {
            ctx.attribute(BEGAN, System.nanoTime());
            // Routes with a validator allow caching; others do not.
            ctx.header("Cache-Control", "no-store");
            ctx.header("X-Content-Type-Options", "nosniff");
            if (HealthRoute.PATHS.contains(ctx.path()))
                return;
            admission.check(ctx);
            RequestTarget.of(ctx).check();
        });
        routes.after(this::measure);
    }

    private void measure(Context ctx) {
        Long began = ctx.attribute(BEGAN);
        if (began == null)
            return;
        Endpoint endpoint = ctx.endpoints().lastHttpEndpoint();
        meters.timer(HttpMeters.REQUESTS, HttpMeters.ROUTE, endpoint == null ? "none" : endpoint.path,
                HttpMeters.STATUS,
                Integer.toString(ctx.statusCode())).record(Duration.ofNanos(System.nanoTime() - began));
    }
}
