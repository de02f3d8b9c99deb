package dev.toolfleet.resources;

import java.nio.charset.StandardCharsets;
import java.util.Collection;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.node.ObjectNode;

/// The bytes that a signature of a revision covers: the bundle's name, the revision's number and all of its resources,
/// with the digests of their files, in canonical JSON. So no record can be changed, added, left out, or moved to
/// another bundle or revision.
final class RevisionContent {
    /// Prevents the use of a signature for other content.
    private static final String TYPE = "toolfleet.dev/bundle-revision/v1";

    private RevisionContent() {}

    static byte[] of(String bundle, long revision, Collection<ResourceRecord> resources) {
        ObjectNode content = Json.MAPPER.createObjectNode().put("type", TYPE).put("bundle", bundle).put("revision",
                revision);
        ObjectNode all = content.putObject("resources");
        for (ResourceRecord record : resources) {
            ObjectNode one = all.putObject(ResourceKey.kind(record) + "/" + ResourceKey.name(record));
            // In the reader's form of the record: YAML has kinds of numbers that JSON does not.
            one.set("resource", Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(record.resource())));
            ObjectNode files = one.putObject("files");
            record.files().forEach(files::put);
        }
        return CanonicalJson.of(content).getBytes(StandardCharsets.UTF_8);
    }
}
