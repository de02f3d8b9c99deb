package dev.toolfleet.oauth.grant;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

import dev.toolfleet.json.Json;
import dev.toolfleet.oauth.seal.KeyRing;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The parameter `state` of an authorization request: base64url of JSON, and behind a dot its signature.
///
/// @param sessionId the authorization
/// @param nonce 16 bytes in hexadecimal
/// @param timestamp the time of the request, in epoch seconds
public record StateToken(String sessionId, String nonce, long timestamp) {
    private static final int LONGEST = 1_000;

    static StateToken of(String sessionId, String nonce, Instant at) {
        return new StateToken(sessionId, nonce, at.getEpochSecond());
    }

    /// Returns the signed text.
    String text(KeyRing keys) {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String payload = base64.encodeToString(Json.MAPPER.writeValueAsBytes(Json.MAPPER.createObjectNode()
                .put("sessionId", sessionId).put("nonce", nonce).put("timestamp", timestamp)));
        return payload + "." + base64.encodeToString(keys.sign(payload));
    }

    /// Reads a text that the fleet has signed; empty for any other.
    public static Optional<StateToken> read(String text, KeyRing keys) {
        int dot = text.indexOf('.');
        if (dot < 0 || text.length() > LONGEST)
            return Optional.empty();
        try {
            String payload = text.substring(0, dot);
            if (!keys.isSigned(payload, Base64.getUrlDecoder().decode(text.substring(dot + 1))))
                return Optional.empty();
            JsonNode json = Json.MAPPER
                    .readTree(new String(Base64.getUrlDecoder().decode(payload), StandardCharsets.UTF_8));
            return Optional.of(new StateToken(json.path("sessionId").asString(""), json.path("nonce").asString(""),
                    json.path("timestamp").asLong(0)));
        } catch (IllegalArgumentException | JacksonException e) {
            return Optional.empty();
        }
    }
}
