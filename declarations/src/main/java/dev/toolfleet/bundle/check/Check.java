package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;

/// Validation of one bundle under one dialect, with the parts that the rules need.
///
/// @param unknownField the severity of an unknown field in this dialect
record Check(Bundle bundle, BuiltIns builtIns, Findings findings, ParameterSchemas schemas, Severity unknownField) {
    Shapes shapes() {
        return new Shapes(findings);
    }

    Refs refs() {
        return new Refs(bundle, builtIns, findings);
    }

    /// Reports every field of the mapping that is not among the known ones.
    void knownFields(Place mapping, Set<String> known) {
        if (!mapping.node().isObject()) {
            return;
        }
        for (String name : mapping.node().propertyNames()) {
            if (!known.contains(name)) {
                findings.addAtKey(unknownField, ProblemCode.E_CONFIG_UNKNOWN_FIELD, mapping.get(name),
                        "No rule knows the field '" + name + "'; it has no effect.",
                        Nearest.hint(name, known, "Known here: "
                                + String.join(", ", new TreeSet<>(known)) + "."));
            }
        }
    }
}
