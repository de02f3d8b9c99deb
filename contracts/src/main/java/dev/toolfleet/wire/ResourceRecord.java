package dev.toolfleet.wire;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Resource of one revision of a bundle, on `tool.resource` by `bundle/Kind/name`.
///
/// A revision is complete when its *revision active* record (kind [#REVISION]) has arrived, and every resource that
/// this record counts in its `spec.resources`; readers switch then, at once.
///
/// @param bundle the bundle's name; for registered tools the namespace of their publisher
/// @param revision of that bundle, growing
/// @param source the declarer
/// @param resource the document as JSON
/// @param files digests of the files that the resource needs, by their path in the bundle
/// @param lease on a registration's *revision active* record: the time until which its tools live unless a worker
///        renews them
public record ResourceRecord(String bundle, long revision, ToolSource source, ObjectNode resource,
        Map<String, String> files, @Nullable Instant lease) {

    /// The kind of the record that activates a revision; its name is [#ACTIVE].
    public static final String REVISION = "Revision";
    /// The name of the one Revision record of a bundle.
    public static final String ACTIVE = "active";

    /// Checks that the resource is named.
    public ResourceRecord {
        requireNonNull(bundle, "bundle");
        requireNonNull(source, "source");
        requireNonNull(resource, "resource");
        files = Map.copyOf(Objects.requireNonNullElse(files, Map.of()));
    }

    /// Returns the key of a resource on `tool.resource`.
    public static String key(String bundle, String kind, String name) {
        return bundle + "/" + kind + "/" + name;
    }
}
