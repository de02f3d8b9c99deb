package dev.toolfleet.gateway.authorization;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// `GET /oauth/callback` and every path below it: the end of an authorization, in a person's browser. Needs no token; the
/// state is signed by the fleet.
final class CallbackRoute implements Route {
    private static final int BAD_REQUEST = 400;
    private static final int UNAVAILABLE = 503;

    private final CallbackDesk desk;

    CallbackRoute(CallbackDesk desk) {
        this.desk = desk;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        routes.get(Authorizations.PATH, this::answer);
        routes.get(Authorizations.PATH + "/<app>", this::answer);
    }

    private void answer(Context ctx) {
        CallbackDesk.Outcome outcome;
        try {
            outcome = desk.take(new CallbackDesk.Callback(ctx.path(), ctx.queryParam("state"), ctx.queryParam("code"),
                    ctx.queryParam("error"), ctx.queryParam("error_description"), ctx.queryParam("iss")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome = new CallbackDesk.Outcome("unavailable", "", "");
        }
        // The address has the code: no other site may learn it, and no cache may keep it.
        ctx.header("Referrer-Policy", "no-referrer").header("Cache-Control", "no-store")
                .header("Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
                .header("X-Content-Type-Options", "nosniff");
        ctx.status(outcome.good() ? 200 : outcome.code().equals("unavailable") ? UNAVAILABLE : BAD_REQUEST);
        ctx.contentType("text/html; charset=utf-8").result(CallbackPage.of(outcome).getBytes(StandardCharsets.UTF_8));
    }
}
