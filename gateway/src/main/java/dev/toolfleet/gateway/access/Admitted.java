package dev.toolfleet.gateway.access;

import java.util.Optional;
import java.util.function.Consumer;

import dev.toolfleet.gateway.limits.RequestLedger;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;

/// Request that was admitted: its principal, its place, and the bounds that hold for it.
///
/// @param maxBody the largest body in bytes
public record Admitted(Principal principal, RequestLedger.Place place, int maxBody, Challenge challenge,
        Consumer<Rejection> rejected) {
    private static final String ATTRIBUTE = "toolfleet.admitted";

    /// Returns the admission of a request.
    ///
    /// @throws IllegalStateException when it was not admitted
    public static Admitted of(Context ctx) {
        return find(ctx.req()).orElseThrow(() -> new IllegalStateException("the request was not admitted"));
    }

    static Optional<Admitted> find(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Admitted admitted ? Optional.of(admitted) : Optional.empty();
    }

    void attach(Context ctx) {
        ctx.req().setAttribute(ATTRIBUTE, this);
    }

    void lacks(Context ctx, Scope needed) {
        rejected.accept(Rejection.SCOPE);
        challenge.insufficient(ctx, needed);
    }
}
