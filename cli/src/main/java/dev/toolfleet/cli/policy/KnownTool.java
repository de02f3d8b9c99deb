package dev.toolfleet.cli.policy;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.resources.FleetResources;

/// A tool of a fleet, with the code that it runs.
///
/// @param name by which models call it
/// @param bundle that declares it, or the namespace of who registered it
/// @param entry its code, in the one form
/// @param export of that code
record KnownTool(String name, String bundle, String entry, String export) {
    /// Code behind a tool, independent of its name.
    record Code(String entry, String export) {}

    Code code() {
        return new Code(entry, export);
    }

    /// All tools, registered ones too, by name.
    static List<KnownTool> all(FleetResources resources) {
        Stream<KnownTool> declared = resources.bundles().values().stream().flatMap(bundle -> bundle.tools().values()
                .stream().flatMap(spec -> of(bundle.name(), spec)));
        Stream<KnownTool> registered = resources.registrations().values().stream()
                .flatMap(owner -> owner.tools().values().stream().flatMap(spec -> of(owner.owner().namespace(), spec)));
        return Stream.concat(declared, registered)
                .sorted(Comparator.comparing(KnownTool::name).thenComparing(KnownTool::bundle)).toList();
    }

    private static Stream<KnownTool> of(String bundle, ToolSpec spec) {
        return spec.exports().stream().filter(export -> spec.nameProblem(export).isEmpty())
                .map(export -> new KnownTool(spec.fullName(export), bundle, spec.entryKind().text(), export.name()));
    }
}
