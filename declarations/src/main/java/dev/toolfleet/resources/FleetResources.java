package dev.toolfleet.resources;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.RuleSelector;
import dev.toolfleet.bundle.ToolGroupSpec;
import dev.toolfleet.wire.ToolRef;

import static java.util.Objects.requireNonNull;

/// Newest whole revision of every bundle, and all registrations, at one moment. Immutable.
///
/// @param bundles by name, in the order of their names; operators' denials are one of them, see [#denials]
/// @param registrations by the namespaces of their owners, expired ones too; see [#live]
public record FleetResources(SortedMap<String, BundleResources> bundles,
        SortedMap<String, Registration> registrations) {
    /// The name of the built-in bundle.
    public static final String BUILT_IN = "@toolfleet/base";

    /// No bundle at all.
    public static final FleetResources EMPTY = new FleetResources(new TreeMap<>(), new TreeMap<>());

    /// Copies the maps.
    public FleetResources {
        bundles = Collections.unmodifiableSortedMap(new TreeMap<>(bundles));
        registrations = Collections.unmodifiableSortedMap(new TreeMap<>(registrations));
    }

    /// Returns the same without registrations whose lease has expired; this very object when none has.
    ///
    /// @param now by the reader's own clock
    public FleetResources live(Instant now) {
        if (registrations.values().stream().allMatch(registration -> registration.isLive(now)))
            return this;
        SortedMap<String, Registration> live = new TreeMap<>(registrations);
        live.values().removeIf(registration -> !registration.isLive(now));
        return new FleetResources(bundles, live);
    }

    /// True if both give the same catalogs: a lease that was only renewed changes none.
    public boolean showsWhat(FleetResources other) {
        return bundles.equals(other.bundles) && registrations.keySet().equals(other.registrations.keySet())
                && registrations.entrySet().stream().allMatch(entry -> entry.getValue().tools()
                        .equals(requireNonNull(other.registrations.get(entry.getKey())).tools()));
    }

    /// The bundle of that name.
    public Optional<BundleResources> bundle(String name) {
        return Optional.ofNullable(bundles.get(name));
    }

    /// Returns operators' denials, in the order of the patterns; ended ones too, until the next one is written.
    public List<OperatorDenial> denials() {
        return bundle(OperatorDenial.BUNDLE).map(bundle -> List.copyOf(bundle.denials().values())).orElse(List.of());
    }

    /// Returns the Agent of this name. If several bundles declare it, that of the bundle whose name sorts first counts;
    /// [DeclaredAgent#alsoIn()] lists the others for a warning. A call names no bundle, so all readers must choose the
    /// same one.
    public Optional<DeclaredAgent> agent(String name) {
        BundleResources first = null;
        List<String> others = new ArrayList<>(0);
        for (BundleResources bundle : bundles.values()) {
            if (!bundle.agents().containsKey(name))
                continue;
            if (first == null)
                first = bundle;
            else
                others.add(bundle.name());
        }
        if (first == null)
            return Optional.empty();
        BundleResources counts = first;
        return counts.agent(name).map(spec -> new DeclaredAgent(counts.name(), counts.revision(), spec, others));
    }

    /// Returns the Tool of a reference: in the package that the reference names, else in the bundle that holds the
    /// reference, else in the built-in one.
    ///
    /// @param owner the bundle that holds the reference
    public Optional<DeclaredTool> tool(String owner, Ref ref) {
        if (!ref.kind().equals(Kinds.TOOL))
            return Optional.empty();
        return tool(bundleOf(owner, ref), ref.name());
    }

    /// Returns the bundle in which [#tool(String, Ref)] finds the Tool, if it is declared at all.
    ///
    /// @param owner the bundle that holds the reference
    public String bundleOf(String owner, Ref ref) {
        String named = ref.packageName();
        if (named != null)
            return BuiltIns.PACKAGES.contains(named) ? BUILT_IN : named;
        return bundle(owner).flatMap(own -> own.tool(ref.name())).isPresent() ? owner : BUILT_IN;
    }

    /// Returns the Tool of a catalog item.
    public Optional<DeclaredTool> tool(ToolRef ref) {
        Registration registration = registrations.get(ref.bundle());
        return registration == null
                ? tool(ref.bundle(), ref.tool())
                : registration.tool(ref.tool(), ref.export());
    }

    /// Returns the ToolGroup of that name in the first of these bundles that declares it. Empty when none does, also
    /// for a shipped group: only policy uses its defaults ([dev.toolfleet.policy.Policy]).
    ///
    /// @param name in upper or lower case, as for policy
    /// @param bundles in order of precedence: the agent's, the Tool's
    public Optional<ToolGroupSpec> group(String name, List<String> bundles) {
        return bundles.stream().flatMap(bundle -> bundle(bundle).stream())
                .flatMap(bundle -> bundle.groups().values().stream())
                .filter(group -> RuleSelector.group(group.name()).equals(RuleSelector.group(name))).findFirst();
    }

    private Optional<DeclaredTool> tool(String bundle, String name) {
        return bundle(bundle).flatMap(in -> in.declaredTool(name));
    }
}
