package dev.toolfleet.identity;

import dev.toolfleet.json.CanonicalText;
import tools.jackson.databind.JsonNode;

/// Digest of a call's name and arguments: equal for equal name and arguments, whatever their order or spelling in JSON.
public final class Fingerprint {
    private Fingerprint() {}

    /// SHA-256 of the canonical JSON of `{"args": …, "name": …}`, as `sha256:…`.
    public static String of(String name, JsonNode args) {
        return new CanonicalText(512).raw("{\"args\":").value(args).raw(",\"name\":").string(name).raw("}").sha256();
    }
}
