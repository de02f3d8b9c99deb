package dev.toolfleet.identity;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import tools.jackson.databind.JsonNode;

/// What a call asks for, as a digest: equal for equal name and arguments, whatever their order or spelling in JSON.
public final class Fingerprint {
    private Fingerprint() {}

    /// SHA-256 of the canonical JSON of `{"args": …, "name": …}`, as `sha256:…`.
    public static String of(String name, JsonNode args) {
        StringBuilder both = new StringBuilder(512).append("{\"args\":");
        CanonicalJson.append(args, both);
        CanonicalJson.append(name, both.append(",\"name\":"));
        return Digests.sha256(both.append('}').toString());
    }
}
