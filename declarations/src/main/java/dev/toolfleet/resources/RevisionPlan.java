package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Plan of a writer for `tool.resource`: it makes a bundle's declarations the next revision.
///
/// **Contract.** The entries go out in ONE Kafka transaction, in their order: the resources, tombstones for resources
/// that only the last revision had, then the *revision active* record. The table must be read after the writer's
/// `initTransactions`, with a transactional id of that bundle. So of two writers the later one sees the writes of the
/// earlier one, which is fenced.
///
/// @param revision the bundle's revision afterwards
/// @param entries empty when the bundle is already as declared
public record RevisionPlan(String bundle, long revision, List<Entry> entries) {

    /// One record to write.
    ///
    /// @param value null for a tombstone
    public record Entry(String key, @Nullable ResourceRecord value) {}

    /// A resource to publish.
    ///
    /// @param resource the document as JSON
    /// @param files digests of the files that it needs, by their path in the bundle
    public record Declared(ObjectNode resource, Map<String, String> files) {
        /// Copies the digests.
        public Declared {
            files = Map.copyOf(files);
        }
    }

    /// Copies the entries.
    public RevisionPlan {
        entries = List.copyOf(entries);
    }

    /// Returns the plan that makes a bundle consist of `resources`. Kinds that the fleet does not use are left out. Of
    /// two with one kind and name the first counts, as in a bundle.
    ///
    /// @param bundle its name: its Package's, such as `@acme/builds`, else a chosen one
    /// @param current `tool.resource`, read to its end
    /// @throws IllegalArgumentException when the name is reserved for owners of registrations or for operators
    public static RevisionPlan of(String bundle, List<Declared> resources, ResourceTable current) {
        return of(bundle, resources, current, null);
    }

    /// Returns the same plan, signed. Unchanged declarations without this signature become a new revision.
    ///
    /// @param signer null for no signature
    /// @throws IllegalArgumentException when the name is reserved for owners of registrations or for operators
    public static RevisionPlan of(String bundle, List<Declared> resources, ResourceTable current,
            @Nullable BundleSigner signer) {
        if (RegistrationOwner.isNamespace(bundle) || bundle.equals(OperatorDenial.BUNDLE)) {
            throw new IllegalArgumentException("a bundle cannot be called '" + bundle
                    + "', because such names are reserved for extensions and operators; choose another");
        }
        return of(bundle, ToolSource.CONFIG,
                resources.stream().filter(declared -> published(ResourceKey.kind(declared.resource()))).toList(),
                current, signer);
    }

    /// @param source type of the bundle's declarer
    static RevisionPlan of(String bundle, String source, List<Declared> resources, ResourceTable current) {
        return of(bundle, source, resources, current, null);
    }

    private static RevisionPlan of(String bundle, String source, List<Declared> resources, ResourceTable current,
            @Nullable BundleSigner signer) {
        long revision = current.revision(bundle) + 1;
        SortedMap<String, ResourceRecord> next = new TreeMap<>();
        for (Declared declared : resources) {
            ResourceRecord record = new ResourceRecord(bundle, revision,
                    new ToolSource(source, ResourceKey.name(declared.resource())), declared.resource(),
                    declared.files(), null);
            next.putIfAbsent(ResourceKey.of(record), record);
        }
        SortedMap<String, ResourceRecord> newest = current.newest(bundle);
        boolean whole = current.view().bundle(bundle).filter(shown -> shown.revision() == revision - 1).isPresent();
        if (whole && same(newest, next)
                && (signer == null || signer.hasSigned(current.mark(bundle), newest.values())))
            return new RevisionPlan(bundle, revision - 1, List.of());
        List<Entry> entries = new ArrayList<>();
        next.forEach((key, record) -> entries.add(new Entry(key, record)));
        newest.keySet().stream().filter(key -> !next.containsKey(key))
                .forEach(key -> entries.add(new Entry(key, null)));
        ResourceRecord mark = RevisionMark.of(bundle, source, revision, next.size());
        entries.add(new Entry(RevisionMark.key(bundle), signer == null
                ? mark
                : RevisionMark.signed(mark, signer.sign(bundle, revision, next.values()))));
        return new RevisionPlan(bundle, revision, entries);
    }

    /// True if there is something to write.
    public boolean changes() {
        return !entries.isEmpty();
    }

    /// Returns the keys of resources that the bundle no longer has.
    public List<String> pruned() {
        return entries.stream().filter(entry -> entry.value() == null).map(Entry::key).toList();
    }

    /// True if the kind is published. Packages are too, because they name a bundle's dependencies.
    private static boolean published(String kind) {
        return Kinds.PUBLISHED.contains(kind) || kind.equals(Kinds.PACKAGE);
    }

    private static boolean same(SortedMap<String, ResourceRecord> newest, SortedMap<String, ResourceRecord> next) {
        return newest.keySet().equals(next.keySet())
                && newest.entrySet().stream().allMatch(entry -> same(entry.getValue(), next.get(entry.getKey())));
    }

    private static boolean same(ResourceRecord one, @Nullable ResourceRecord other) {
        return other != null && one.files().equals(other.files())
                && CanonicalJson.of(one.resource()).equals(CanonicalJson.of(other.resource()));
    }
}
