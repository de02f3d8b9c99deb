package dev.toolfleet.json;

import tools.jackson.databind.JsonNode;

/// Canonical JSON: equal values have equal text (RFC 8785: no white space, keys sorted by UTF-16 code units, numbers as
/// ECMAScript prints them).
///
/// There is one deviation, on purpose: a number written as a whole number keeps all its digits, even beyond 2^53.
/// Otherwise: it is rounded to a double, and two calls with different arguments look the same
/// (`docs/decisions/0001-canonical-json-keeps-large-integers.md`).
public final class CanonicalJson {
    private CanonicalJson() {}

    /// Returns the canonical text of `node`.
    ///
    /// @throws IllegalArgumentException when a number is NaN or infinite, or a node is not JSON
    public static String of(JsonNode node) {
        return new CanonicalText(128).value(node).text();
    }
}
