package dev.toolfleet.json;

import tools.jackson.databind.JsonNode;

/// JSON in one form only, so that equal values have equal text (RFC 8785: no white space, keys sorted by UTF-16 code
/// units, numbers as ECMAScript prints them).
///
/// One deviation, on purpose: a number written as a whole number keeps all its digits, even beyond 2^53. RFC 8785 would
/// round it to a double, and two calls with different arguments would then look the same (decision 0001).
public final class CanonicalJson {
    private CanonicalJson() {}

    /// The canonical text of `node`.
    ///
    /// @throws IllegalArgumentException when a number is NaN or infinite, or a node is not JSON
    public static String of(JsonNode node) {
        return new CanonicalText(128).value(node).toString();
    }
}
