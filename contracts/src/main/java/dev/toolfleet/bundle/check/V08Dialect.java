package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;

/// v0.8: its documents load and can be referred to; its rules are not checked yet, and each file says so once.
final class V08Dialect implements Dialect {
    @Override
    public String apiVersion() {
        return Kinds.V08;
    }

    @Override
    public Set<String> kinds() {
        return Stream.concat(Kinds.GOONDAN.stream(), Kinds.V08_ONLY.stream()).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Severity unknownField() {
        return Severity.WARNING;
    }

    @Override
    public void check(Place document, Check check) {
        if (!check.findings().has(ProblemCode.E_CONFIG_API_VERSION_UNCHECKED, document.resource().file())) {
            check.findings().notice(ProblemCode.E_CONFIG_API_VERSION_UNCHECKED, document.get("apiVersion"),
                    "Resources of " + Kinds.V08 + " are read, but their rules are checked from a later version on.",
                    "Move them to " + Kinds.GOONDAN_V1 + " to have them checked now.");
        }
    }
}
