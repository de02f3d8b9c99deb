package dev.toolfleet.gateway.jwt;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Claims of a token whose signature and times were checked.
///
/// @param json as they came
public record Claims(ObjectNode json) {
    /// The last second that has a date of four digits; also the bound of what [Instant] is asked for.
    private static final long LAST_SECOND = 253_402_300_799L;

    /// Returns a claim that is text and not empty.
    public Optional<String> text(String name) {
        JsonNode value = json.get(name);
        return value != null && value.isString() && !value.stringValue().isEmpty()
                ? Optional.of(value.stringValue())
                : Optional.empty();
    }

    /// Returns a claim that is text or a list of texts; empty when it is neither, or absent.
    public List<String> texts(String name) {
        JsonNode value = json.get(name);
        List<String> texts = new ArrayList<>();
        if (value != null && value.isString())
            texts.add(value.stringValue());
        if (value != null && value.isArray()) {
            for (JsonNode item : value) {
                if (!item.isString())
                    return List.of();
                texts.add(item.stringValue());
            }
        }
        return List.copyOf(texts);
    }

    /// True if the token has the claim with any value but null.
    public boolean has(String name) {
        return json.hasNonNull(name);
    }

    /// Returns a time (`NumericDate`, RFC 7519, 2), without fractions of a second.
    Optional<Instant> time(String name) {
        JsonNode value = json.get(name);
        if (value == null || !value.isNumber())
            return Optional.empty();
        double seconds = value.doubleValue();
        return seconds >= 0 && seconds <= LAST_SECOND
                ? Optional.of(Instant.ofEpochSecond((long) seconds))
                : Optional.empty();
    }
}
