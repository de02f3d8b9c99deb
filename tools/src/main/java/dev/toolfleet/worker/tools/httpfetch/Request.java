package dev.toolfleet.worker.tools.httpfetch;

import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/// One request of a fetch, with the rules for redirects.
///
/// @param method `GET` or `POST`
/// @param body empty when nothing is sent
record Request(String method, Target target, RequestHeaders headers, Optional<Body> body) {
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final Set<Integer> KEEP_METHOD = Set.of(307, 308);

    /// Body of a request.
    ///
    /// @param text in UTF-8
    record Body(String text) {}

    /// Returns the same request with this header.
    Request with(String name, String value) {
        return new Request(method, target, headers.orElse(name, value), body);
    }

    /// Returns the request to which an answer redirects, after RFC 9110 and the Fetch standard: 307 and 308 repeat it,
    /// the others request the new place with `GET`. Another origin gets neither credentials nor cookies nor any header
    /// that could be a secret. Empty if the answer is no redirect.
    ///
    /// @throws dev.toolfleet.tool.ToolException if it leads from https to http, or to a text that is no URL to fetch
    Optional<Request> redirected(int status, @Nullable String location) {
        if (!REDIRECTS.contains(status) || location == null)
            return Optional.empty();
        Target next = target.resolve(location);
        if (target.secure() && !next.secure())
            throw HttpErrors.refused(target.url() + " redirects from https to http, where others could read along.");
        RequestHeaders allowed = next.sameOrigin(target) ? headers : headers.forAnotherOrigin();
        return Optional.of(KEEP_METHOD.contains(status)
                ? new Request(method, next, allowed, body)
                : new Request("GET", next, allowed.withoutBody(), Optional.empty()));
    }
}
