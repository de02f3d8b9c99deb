package dev.toolfleet.bundle.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;
import org.jspecify.annotations.Nullable;

/// Checks across documents: duplicate names, and the place of a Package.
final class BundleRules {
    private static final Set<String> MAIN_FILES = Set.of("goondan.yaml", "goondan.yml", "toolfleet.yaml",
            "toolfleet.yml");

    private BundleRules() {}

    static void check(Bundle bundle, Findings findings) {
        Map<String, Resource> seen = new HashMap<>();
        Map<String, Resource> packages = new HashMap<>();
        for (Resource resource : bundle.resources()) {
            Place document = Place.document(resource);
            @Nullable
            Resource first = seen.putIfAbsent(resource.id(), resource);
            if (first != null) {
                findings.error(ProblemCode.E_CONFIG_DUPLICATE_NAME, document.get("metadata").get("name"),
                        resource.id() + " exists already, in " + first.file() + " line "
                                + Place.document(first).get("metadata").get("name").position().line() + ".",
                        "Rename or remove one.");
            }
            if (resource.kind().equals(Kinds.PACKAGE)) {
                position(document, packages.putIfAbsent(resource.file(), resource), findings);
            }
        }
    }

    private static void position(Place document, @Nullable Resource before, Findings findings) {
        Resource resource = document.resource();
        String file = resource.file();
        if (before != null) {
            findings.error(ProblemCode.E_CONFIG_PACKAGE_DOC_DUPLICATED, document.get("kind"),
                    file + " has two Package documents.", "Keep one.");
        } else if (resource.documentIndex() > 0) {
            findings.error(ProblemCode.E_CONFIG_PACKAGE_DOC_POSITION, document.get("kind"),
                    "The Package must be the first document of its file.", "Move it to the top.");
        } else if (!MAIN_FILES.contains(file.substring(file.lastIndexOf('/') + 1))) {
            findings.warning(ProblemCode.E_CONFIG_PACKAGE_DOC_POSITION, document.get("kind"),
                    "A Package belongs into goondan.yaml or toolfleet.yaml.", "Move it there.");
        }
    }
}
