package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;

/// One validation of one bundle under one dialect: what the rules of a kind have at hand.
///
/// @param unknownField how much a field that no rule knows matters in this dialect
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
