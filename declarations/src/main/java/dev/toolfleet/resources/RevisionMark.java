package dev.toolfleet.resources;

import java.util.Map;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// *Revision active* record of a bundle: the revision that readers show, and the number of its resources.
final class RevisionMark {
    private RevisionMark() {}

    static String key(String bundle) {
        return ResourceRecord.key(bundle, ResourceRecord.REVISION, ResourceRecord.ACTIVE);
    }

    /// @param source type of the bundle's declarer
    static ResourceRecord of(String bundle, String source, long revision, int resources) {
        return new ResourceRecord(bundle, revision, new ToolSource(source, bundle), mark(resources), Map.of(), null);
    }

    /// The same mark with a signature of the revision.
    static ResourceRecord signed(ResourceRecord mark, String signature) {
        ObjectNode resource = mark.resource().deepCopy();
        resource.withObject("spec").put("signature", signature);
        return new ResourceRecord(mark.bundle(), mark.revision(), mark.source(), resource, mark.files(), mark.lease());
    }

    /// The signature of the revision, in Base64; empty for none.
    static String signature(ResourceRecord mark) {
        return mark.resource().path("spec").path("signature").asString("");
    }

    /// Returns the mark of a registration, with its owner and the worker that renewed it.
    static ResourceRecord of(RegistrationPlan.Lease lease, long revision, int resources) {
        ObjectNode mark = mark(resources);
        mark.withObject("spec").put("worker", lease.worker()).set("owner", lease.owner().json());
        return new ResourceRecord(lease.owner().namespace(), revision, lease.owner().source(), mark, Map.of(),
                lease.until());
    }

    private static ObjectNode mark(int resources) {
        ObjectNode mark = Json.MAPPER.createObjectNode().put("apiVersion", Kinds.TOOLFLEET_V1).put("kind",
                ResourceRecord.REVISION);
        mark.putObject("metadata").put("name", ResourceRecord.ACTIVE);
        mark.putObject("spec").put("resources", resources);
        return mark;
    }

    static boolean is(ResourceRecord record) {
        return ResourceKey.kind(record).equals(ResourceRecord.REVISION)
                && ResourceKey.name(record).equals(ResourceRecord.ACTIVE);
    }

    /// True if the revision consists of that many resources.
    static boolean counts(ResourceRecord mark, int resources) {
        JsonNode count = mark.resource().path("spec").path("resources");
        return count.isIntegralNumber() && count.asLong() == resources;
    }
}
