package dev.toolfleet.http;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Reason for rejecting a request, as a problem document (RFC 9457).
///
/// @param detail names the thing, the value and the way out
/// @param headers that go with the answer
/// @param reasons the single reasons, where there are several
public record Problem(ProblemType type, String detail, Map<String, String> headers, List<String> reasons) {
    /// The media type of every problem document.
    public static final String CONTENT_TYPE = "application/problem+json";
    private static final String RETRY_AFTER_SECONDS = "1";

    /// Returns a lasting problem: only a change by a person ends it.
    public static Problem of(ProblemType type, String detail) {
        return new Problem(type, detail, Map.of(), List.of());
    }

    /// Returns a temporary problem.
    public static Problem notReady(String detail, List<String> reasons) {
        return new Problem(ProblemType.NOT_READY, detail, Map.of("Retry-After", RETRY_AFTER_SECONDS), reasons);
    }

    /// Returns a problem that ends by itself.
    ///
    /// @param after the time of the next attempt; it is rounded up to whole seconds
    public static Problem later(ProblemType type, String detail, Duration after) {
        long seconds = Math.max(1, after.plusMillis(999).toSeconds());
        return new Problem(type, detail, Map.of("Retry-After", Long.toString(seconds)), List.of());
    }

    /// @param instance the path of the request
    byte[] json(String instance) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("type", type.uri()).put("title", type.title()).put("status", type.status()).put("detail", detail)
                .put("instance", instance);
        if (!reasons.isEmpty())
            json.set("reasons", Json.MAPPER.valueToTree(reasons));
        return Json.MAPPER.writeValueAsBytes(json);
    }
}
