package dev.toolfleet.identity;

import dev.toolfleet.json.CanonicalText;
import tools.jackson.databind.JsonNode;

/// What a call asks for, as a digest: equal for equal name and arguments, whatever their order or spelling in JSON.
public final class Fingerprint {
    private Fingerprint() {}

    /// SHA-256 of the canonical JSON of `{"args": …, "name": …}`, as `sha256:…`.
    public static String of(String name, JsonNode args) {
        return new CanonicalText(512).raw("{\"args\":").value(args).raw(",\"name\":").string(name).raw("}").sha256();
    }
}
