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

/// What a writer sends to `tool.resource` to make a bundle's declarations its next revision.
///
/// The entries go out in ONE Kafka transaction, in their order: the resources, tombstones for what the bundle's last
/// revision had and this one has not, then the *revision active* record. The table has to be read after the writer's
/// `initTransactions`, with a transactional id of that bundle, so that of two writers the later one knows what the
/// earlier one did, and the earlier one is fenced.
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

    /// The plan that makes a bundle consist of `resources`, as far as the fleet acts on their kinds (the others are
    /// left out). Of two with one kind and name the first counts, as when a bundle is read.
    ///
    /// @param bundle its name: its Package's, such as `@acme/builds`, else one of choice
    /// @param current `tool.resource`, read to its end
    /// @throws IllegalArgumentException when the name is one that owners of registrations, or operators have
    public static RevisionPlan of(String bundle, List<Declared> resources, ResourceTable current) {
        return of(bundle, resources, current, null);
    }

    /// The same plan, signed. What is as declared but not signed so is a new revision.
    ///
    /// @param signer null for no signature
    /// @throws IllegalArgumentException when the name is one that owners of registrations, or operators have
    public static RevisionPlan of(String bundle, List<Declared> resources, ResourceTable current,
            @Nullable BundleSigner signer) {
        if (RegistrationOwner.isNamespace(bundle) || bundle.equals(OperatorDenial.BUNDLE)) {
            throw new IllegalArgumentException("a bundle cannot be called '" + bundle
                    + "', because such names stand for what extensions register and operators say; choose another");
        }
        return of(bundle, ToolSource.CONFIG,
                resources.stream().filter(declared -> published(ResourceKey.kind(declared.resource()))).toList(),
                current, signer);
    }

    /// @param source type of who declares the bundle
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

    /// Whether there is anything to write.
    public boolean changes() {
        return !entries.isEmpty();
    }

    /// The keys whose resources the bundle no longer has.
    public List<String> pruned() {
        return entries.stream().filter(entry -> entry.value() == null).map(Entry::key).toList();
    }

    /// Packages travel too, because they name what a bundle builds on.
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
