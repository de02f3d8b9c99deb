package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.wire.InstanceLabel;

/// Names of labels in declarations.
final class LabelNames {
    /// The fields of `labels` in the `when` of a rule.
    private static final Set<String> FIELDS = Set.of("all");

    private LabelNames() {}

    /// Reads `labels: {all: [...]}`: the labels that an instance must all have. Empty without the field.
    static Set<String> all(ResourceJson labels) {
        if (labels.node().isMissingNode())
            return Set.of();
        labels.known(FIELDS);
        if (!labels.get("all").present())
            throw labels.wrong("all: [" + InstanceLabel.UNTRUSTED + "], a list of labels");
        return Set.copyOf(texts(labels.get("all")));
    }

    /// Reads the labels that an export adds. Without the field, an export that reaches beyond the fleet adds
    /// `untrusted`, and one that accesses sensitive data adds `sensitive`.
    static Set<String> added(ResourceJson export) {
        if (export.get("adds").present())
            return export.get("adds").node().isEmpty() && export.get("adds").node().isArray()
                    ? Set.of()
                    : Set.copyOf(texts(export.get("adds")));
        Set<String> labels = new TreeSet<>();
        if (export.get("annotations").get("openWorld").flag())
            labels.add(InstanceLabel.UNTRUSTED);
        if (export.get("accessesSensitiveData").flag())
            labels.add(InstanceLabel.SENSITIVE);
        return Set.copyOf(labels);
    }

    private static List<String> texts(ResourceJson list) {
        return list.texts(text -> Optional.of(text).filter(InstanceLabel::isName), InstanceLabel.FORM);
    }
}
