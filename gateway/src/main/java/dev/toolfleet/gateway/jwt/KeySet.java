package dev.toolfleet.gateway.jwt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Public keys of an issuer, as one fetch returned them.
///
/// @param keys those that this version can read; symmetric and private ones are left out
record KeySet(List<JWK> keys) {
    /// No keys.
    static final KeySet NONE = new KeySet(List.of());
    private static final int MAX_KEYS = 100;

    KeySet {
        keys = List.copyOf(keys);
    }

    /// Reads a JSON Web Key Set (RFC 7517, 5). A key that cannot be read is left out, as the RFC wants it.
    ///
    /// @throws IOException when it is none, or too large
    static KeySet read(byte[] json) throws IOException {
        JsonNode list;
        try {
            list = Json.STRICT.readTree(new String(json, StandardCharsets.UTF_8)).path("keys");
        } catch (JacksonException e) {
            throw new IOException("it answers with no JSON", e);
        }
        if (!list.isArray() || list.size() > MAX_KEYS)
            throw new IOException("it answers with no list 'keys' of at most " + MAX_KEYS + " keys");
        List<JWK> keys = new ArrayList<>();
        for (JsonNode each : list) {
            try {
                JWK key = JWK.parse(each.toString());
                if (!key.isPrivate())
                    keys.add(key);
            } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
                // Of a kind that came after this version: RFC 7517 wants it passed over.
            }
        }
        return new KeySet(keys);
    }

    /// Returns the one key for this header: by its id, or the only one that fits a header without id.
    Optional<JWK> find(JWSHeader header) {
        List<JWK> fitting = keys.stream().filter(key -> Algorithms.fits(key, header.getAlgorithm()))
                .filter(key -> header.getKeyID() == null || header.getKeyID().equals(key.getKeyID())).toList();
        return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
    }
}
