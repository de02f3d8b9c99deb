package dev.toolfleet.resources;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.bundle.BundleName;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;

/// Table of `tool.resource` as read so far. It shows whole revisions only.
///
/// **Contract.** A bundle shows revision N once its *revision active* record has N and every resource of N that this
/// record counts is there. Until then it shows the earlier revision. So neither the order of records nor compaction
/// matters: a revision that lost some records to a newer one is never shown in part. The same holds for registrations;
/// their *revision active* record also carries the lease. Bundles and registrations never affect each other.
///
/// With a [BundleTrust] that requires signatures, an unsigned revision is not shown. The earlier one stays, also when
/// the *revision active* record is removed: only a signed revision replaces a signed one. A revision that is older than
/// the shown one is not shown then, even if it is signed.
///
/// A bundle whose name is no [BundleName] is never shown, since a name is a path on the workers; [#refused] has it.
///
/// **Threads.** One thread applies records; any thread may read the view.
public final class ResourceTable {
    private final Map<String, Declared> bundles = new HashMap<>();
    private final Map<String, String> bundleOfKey = new HashMap<>();
    private volatile FleetResources view = FleetResources.EMPTY;
    private final BundleTrust trust;
    private volatile SortedMap<String, String> refused = Collections.emptySortedMap();
    private volatile SortedMap<String, String> incomplete = Collections.emptySortedMap();

    /// Makes a table that shows bundles of any writer.
    public ResourceTable() {
        this(BundleTrust.ALL);
    }

    /// Makes a table that shows the bundles that this trust accepts.
    public ResourceTable(BundleTrust trust) {
        this.trust = trust;
    }

    /// The newest records of one bundle.
    private static final class Declared {
        private final SortedMap<String, ResourceRecord> byKey = new TreeMap<>();
        private @Nullable ResourceRecord active;
    }

    /// Applies the next record of the topic. Records that are no declaration of a bundle, or whose key does not match
    /// their content, change nothing.
    ///
    /// @param key the record's key
    /// @param value null for a tombstone
    /// @return the bundle, or the namespace of the owner, whose tools changed; empty for a renewed lease, which only
    ///         changes the view
    public Optional<String> apply(String key, @Nullable ResourceRecord value) {
        return value == null ? remove(key) : put(key, value);
    }

    /// Returns the present view of all bundles.
    public FleetResources view() {
        return view;
    }

    /// Returns the bundles whose active revision misses records, with the number; briefly while a revision arrives, and
    /// permanently after records of a signed one were removed. Empty when no signatures are required.
    public SortedMap<String, String> incomplete() {
        return incomplete;
    }

    /// Returns the active revisions that are not shown, with the reason, by the names of their bundles; replaced as a
    /// whole when it changes.
    public SortedMap<String, String> refused() {
        return refused;
    }

    /// Returns the revision that a bundle has activated last; 0 when it has none.
    long revision(String bundle) {
        Declared declared = bundles.get(bundle);
        return declared == null || declared.active == null ? 0 : declared.active.revision();
    }

    /// The *revision active* record of a bundle; null when it has none.
    @Nullable
    ResourceRecord mark(String bundle) {
        Declared declared = bundles.get(bundle);
        return declared == null ? null : declared.active;
    }

    /// Returns the newest record of each of a bundle's keys of any revision, except the *revision active* record.
    SortedMap<String, ResourceRecord> newest(String bundle) {
        Declared declared = bundles.get(bundle);
        return declared == null ? new TreeMap<>() : new TreeMap<>(declared.byKey);
    }

    private Optional<String> put(String key, ResourceRecord value) {
        if (!belongs(value) || !ResourceKey.of(value).equals(key))
            return Optional.empty();
        if (!mayBeShown(value.bundle())) {
            if (RevisionMark.is(value))
                refuse(value.bundle(), "it is no name of a bundle, such as builds or @acme/builds");
            return Optional.empty();
        }
        Declared declared = bundles.computeIfAbsent(value.bundle(), name -> new Declared());
        bundleOfKey.put(key, value.bundle());
        if (RevisionMark.is(value))
            declared.active = value;
        else
            declared.byKey.put(key, value);
        return show(value.bundle(), declared);
    }

    private Optional<String> remove(String key) {
        refused.keySet().stream().filter(name -> RevisionMark.key(name).equals(key)).findAny().ifPresent(this::accept);
        String bundle = bundleOfKey.remove(key);
        Declared declared = bundle == null ? null : bundles.get(bundle);
        if (bundle == null || declared == null)
            return Optional.empty();
        if (declared.active != null && ResourceKey.of(declared.active).equals(key)) {
            declared.active = null;
            incomplete = without(incomplete, bundle);
            if (!isSigned(bundle))
                return hide(bundle);
            if (view.bundle(bundle).isPresent())
                refuse(bundle, "its record Revision/active was removed, and a removal has no signature");
            return Optional.empty();
        }
        declared.byKey.remove(key);
        return show(bundle, declared);
    }

    private static boolean mayBeShown(String bundle) {
        return BundleName.isValid(bundle) || RegistrationOwner.isNamespace(bundle);
    }

    private void refuse(String bundle, String why) {
        refused = with(refused, bundle, why);
    }

    private void accept(String bundle) {
        refused = without(refused, bundle);
    }

    private static SortedMap<String, String> with(SortedMap<String, String> problems, String bundle, String why) {
        if (why.equals(problems.get(bundle)))
            return problems;
        SortedMap<String, String> changed = new TreeMap<>(problems);
        changed.put(bundle, why);
        return Collections.unmodifiableSortedMap(changed);
    }

    private static SortedMap<String, String> without(SortedMap<String, String> problems, String bundle) {
        if (!problems.containsKey(bundle))
            return problems;
        SortedMap<String, String> changed = new TreeMap<>(problems);
        changed.remove(bundle);
        return Collections.unmodifiableSortedMap(changed);
    }

    /// True if a bundle of that name needs a signature: registrations and operators' denials do not.
    private boolean isSigned(String bundle) {
        return trust.demandsSignatures() && !RegistrationOwner.isNamespace(bundle)
                && !bundle.equals(OperatorDenial.BUNDLE);
    }

    /// Returns the reason against showing the active revision; empty for none.
    private Optional<String> refusal(String bundle, ResourceRecord active, Map<String, ResourceRecord> ofRevision) {
        long shown = view.bundle(bundle).map(BundleResources::revision).orElse(0L);
        return active.revision() < shown
                ? Optional.of("its revision " + active.revision() + " is older than " + shown + ", which was shown")
                : trust.refuses(active, ofRevision.values());
    }

    /// True if the declarer may write there: a bundle in bundles, an owner in its registrations, an operator in
    /// denials, which run nothing.
    private static boolean belongs(ResourceRecord value) {
        String type = value.source().type();
        if (value.bundle().equals(OperatorDenial.BUNDLE))
            return type.equals(ToolSource.OPERATOR)
                    && (ResourceKey.kind(value).equals(OperatorDenial.KIND) || RevisionMark.is(value));
        return RegistrationOwner.isNamespace(value.bundle())
                ? value.bundle().startsWith(type + ":")
                : type.equals(ToolSource.CONFIG);
    }

    private Optional<String> hide(String bundle) {
        SortedMap<String, BundleResources> bundles = new TreeMap<>(view.bundles());
        SortedMap<String, Registration> registrations = new TreeMap<>(view.registrations());
        boolean declared = bundles.remove(bundle) != null;
        boolean registered = registrations.remove(bundle) != null;
        view = new FleetResources(bundles, registrations);
        return declared || registered ? Optional.of(bundle) : Optional.empty();
    }

    private Optional<String> show(String bundle, Declared declared) {
        ResourceRecord active = declared.active;
        if (active == null)
            return Optional.empty();
        Map<String, ResourceRecord> ofRevision = new HashMap<>();
        for (ResourceRecord record : declared.byKey.values()) {
            if (record.revision() == active.revision())
                ofRevision.put(ResourceKey.kind(record) + "/" + ResourceKey.name(record), record);
        }
        if (!RevisionMark.counts(active, ofRevision.size())) {
            if (isSigned(bundle))
                incomplete = with(incomplete, bundle, "of its revision " + active.revision() + " only "
                        + ofRevision.size() + " resources are there, or more than were applied");
            return Optional.empty();
        }
        incomplete = without(incomplete, bundle);
        if (isSigned(bundle)) {
            Optional<String> refusal = refusal(bundle, active, ofRevision);
            if (refusal.isPresent()) {
                refuse(bundle, refusal.get());
                return Optional.empty();
            }
        }
        accept(bundle);
        boolean changed = RegistrationOwner.isNamespace(bundle)
                ? register(active, ofRevision)
                : declare(bundle, active.revision(), ofRevision);
        return changed ? Optional.of(bundle) : Optional.empty();
    }

    private boolean declare(String bundle, long revision, Map<String, ResourceRecord> ofRevision) {
        if (shows(bundle, revision, ofRevision))
            return false;
        SortedMap<String, BundleResources> changed = new TreeMap<>(view.bundles());
        changed.put(bundle, new BundleResources(bundle, revision, ofRevision));
        view = new FleetResources(changed, view.registrations());
        return true;
    }

    private boolean shows(String bundle, long revision, Map<String, ResourceRecord> ofRevision) {
        return view.bundle(bundle)
                .filter(shown -> shown.revision() == revision && shown.records().equals(ofRevision))
                .isPresent();
    }

    private boolean register(ResourceRecord active, Map<String, ResourceRecord> ofRevision) {
        Map<String, ResourceRecord> tools = new HashMap<>();
        for (ResourceRecord record : ofRevision.values()) {
            if (!ResourceKey.kind(record).equals(Kinds.TOOL))
                return false;
            tools.put(ResourceKey.name(record), record);
        }
        Registration before = view.registrations().get(active.bundle());
        boolean same = before != null && before.revision() == active.revision() && before.records().equals(tools);
        SortedMap<String, Registration> changed = new TreeMap<>(view.registrations());
        try {
            changed.put(active.bundle(),
                    before != null && same ? before.renewed(active) : Registration.of(active, tools));
        } catch (IllegalArgumentException e) {
            // No writer of this fleet has this form; it is not shown.
            return false;
        }
        view = new FleetResources(view.bundles(), changed);
        return !same;
    }
}
