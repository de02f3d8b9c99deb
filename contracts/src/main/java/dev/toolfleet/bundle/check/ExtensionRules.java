package dev.toolfleet.bundle.check;

import java.util.Set;

/// `kind: Extension`.
final class ExtensionRules {
    private ExtensionRules() {}

    static void check(Place spec, Check check) {
        check.knownFields(spec, Set.of("entry", "config"));
        EntryRules.check(spec.get("entry"), check);
        check.shapes().mapping(spec.get("config"));
    }
}
