package dev.toolfleet.gateway.jwt;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.Optional;

import com.nimbusds.jose.JWSObject;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JWT in compact form, read and not verified.
///
/// **Why.** The texts come from anyone. They are parsed by the fleet's strict reader first, which bounds their depth and
/// refuses repeated names. Otherwise: two readers see two values of one name.
///
/// @param jws header and signature
/// @param claims its content
record SignedToken(JWSObject jws, ObjectNode claims) {
    private static final int PARTS = 3;

    /// Reads a token; empty when it is no signed JWT.
    static Optional<SignedToken> read(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != PARTS)
            return Optional.empty();
        try {
            object(parts[0]);
            ObjectNode claims = object(parts[1]);
            return Optional.of(new SignedToken(JWSObject.parse(token), claims));
        } catch (IllegalArgumentException | CharacterCodingException | JacksonException | ParseException e) {
            return Optional.empty();
        }
    }

    private static ObjectNode object(String part) throws CharacterCodingException {
        byte[] bytes = Base64.getUrlDecoder().decode(part);
        JsonNode json = Json.STRICT.readTree(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes))
                .toString());
        if (json instanceof ObjectNode object)
            return object;
        throw new IllegalArgumentException("no object");
    }
}
