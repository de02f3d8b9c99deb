package dev.toolfleet.identity;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What a call asks for, as a digest: equal for equal name and arguments, whatever their order or spelling in JSON.
public final class Fingerprint {
    private Fingerprint() {}

    /// SHA-256 of the canonical JSON of `{"args": …, "name": …}`, as `sha256:…`.
    public static String of(String name, JsonNode args) {
        ObjectNode both = JsonNodeFactory.instance.objectNode().put("name", name);
        both.set("args", args);
        return Digests.sha256(CanonicalJson.of(both));
    }
}
