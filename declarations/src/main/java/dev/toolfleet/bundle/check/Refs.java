package dev.toolfleet.bundle.check;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ParsedRef;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.Resource;
import tools.jackson.databind.JsonNode;

/// Resolver of references: the bundle's own resources first, then the built-in bundle's.
final class Refs {
    /// Target of a reference.
    sealed interface Target {
        String name();

        /// A resource of this bundle.
        record Local(Resource resource) implements Target {
            @Override
            public String name() {
                return resource.name();
            }
        }

        /// A resource of the built-in bundle.
        record BuiltIn(String name) implements Target {}

        /// A target that cannot be read, or does not exist, which has been reported.
        record Unseen(String name, String from) implements Target {}
    }

    private final Bundle bundle;
    private final BuiltIns builtIns;
    private final Findings findings;

    Refs(Bundle bundle, BuiltIns builtIns, Findings findings) {
        this.bundle = bundle;
        this.builtIns = builtIns;
        this.findings = findings;
    }

    /// Follows the reference at a place for one kind only; empty when it is malformed, which it reports.
    Optional<Target> follow(Place place, String expectedKind) {
        return switch (Ref.parse(place.node())) {
            case ParsedRef.Malformed malformed -> {
                findings.error(ProblemCode.E_CONFIG_INVALID_REF, place,
                        place.path() + " is no reference: " + malformed.reason() + ".",
                        "For example " + expectedKind + "/name.");
                yield Optional.empty();
            }
            case Ref ref -> follow(ref, place, expectedKind);
        };
    }

    private Optional<Target> follow(Ref ref, Place place, String expectedKind) {
        if (!ref.kind().equals(expectedKind)) {
            findings.error(ProblemCode.E_CONFIG_INVALID_REF, place,
                    ref + " is of kind " + ref.kind() + ", but " + place.path() + " takes the kind " + expectedKind
                            + ".",
                    "Name a resource of kind " + expectedKind + ", or move it to where the kind " + ref.kind()
                            + " belongs.");
            return Optional.empty();
        }
        String in = ref.inPackage().orElse("");
        boolean own = in.isEmpty() || in.equals(bundle.packageName().orElse(""));
        Optional<Resource> local = own ? bundle.find(ref.kind(), ref.name()) : Optional.empty();
        if (local.isPresent()) {
            return local.map(Target.Local::new);
        }
        boolean base = in.isEmpty() || BuiltIns.PACKAGES.contains(in);
        if (base && builtIns.names(ref.kind()).contains(ref.name())) {
            return Optional.of(new Target.BuiltIn(ref.name()));
        }
        if (base && GoondanBase.has(ref.kind(), ref.name())) {
            findings.notice(ProblemCode.E_CONFIG_REF_UNCHECKED, place,
                    ref.kind() + "/" + ref.name()
                            + " belongs to @goondan/base and is not among the fleet's built-ins; the agent runtime has it.",
                    "");
            return Optional.of(new Target.BuiltIn(ref.name()));
        }
        if (own || base) {
            notFound(ref, place, in);
        } else {
            elsewhere(ref, place, in);
        }
        return Optional.of(new Target.Unseen(ref.name(), in));
    }

    private void notFound(Ref ref, Place place, String in) {
        Set<String> candidates = new TreeSet<>(builtIns.names(ref.kind()));
        if (!BuiltIns.PACKAGES.contains(in)) {
            bundle.ofKind(ref.kind()).forEach(resource -> candidates.add(resource.name()));
        }
        String known = candidates.isEmpty()
                ? "There is no " + ref.kind() + " at all."
                : "There is: " + candidates.stream().limit(12).collect(Collectors.joining(", ")) + ".";
        findings.error(ProblemCode.E_CONFIG_REF_NOT_FOUND, place, ref + " does not exist.",
                Nearest.hint(ref.name(), candidates, known));
    }

    private void elsewhere(Ref ref, Place place, String in) {
        if (dependencies().contains(in)) {
            findings.warning(ProblemCode.E_CONFIG_REF_UNCHECKED, place,
                    ref + " cannot be checked: that package is not at hand.",
                    "The fleet takes packages as bundles of their own; apply it too.");
        } else {
            findings.error(ProblemCode.E_CONFIG_REF_NOT_FOUND, place,
                    ref + " does not exist: the Package of this bundle does not depend on " + in + ".",
                    "Add it to spec.dependencies of the Package, or correct the name.");
        }
    }

    private Set<String> dependencies() {
        return bundle.ofKind(Kinds.PACKAGE).stream()
                .flatMap(resource -> resource.spec().path("dependencies").values().stream())
                .map(dependency -> dependency.path("name")).filter(JsonNode::isString).map(JsonNode::stringValue)
                .collect(Collectors.toSet());
    }
}
