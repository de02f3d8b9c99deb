package dev.toolfleet.bundle.check;

import java.util.Set;

/// Checks `kind: Extension`.
final class ExtensionRules {
    private ExtensionRules() {}

    /// @param fields of an Extension in its dialect
    static void check(Place spec, Set<String> fields, Check check) {
        check.knownFields(spec, fields);
        EntryRules.check(spec.get("entry"), check);
        check.shapes().mapping(spec.get("config"));
    }
}
