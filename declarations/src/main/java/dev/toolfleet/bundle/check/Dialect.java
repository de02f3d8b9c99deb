package dev.toolfleet.bundle.check;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Severity;

/// The rules of one `apiVersion`.
interface Dialect {
    /// Every version that is read.
    List<Dialect> ALL = List.of(new CurrentDialect(Kinds.GOONDAN_V1, Kinds.GOONDAN, Severity.WARNING),
            new CurrentDialect(Kinds.TOOLFLEET_V1, union(Kinds.GOONDAN, Kinds.FLEET), Severity.ERROR),
            new V08Dialect());

    /// The `apiVersion` that resources carry.
    String apiVersion();

    /// The kinds that it knows.
    Set<String> kinds();

    /// Returns the severity of an unknown field.
    Severity unknownField();

    /// Checks one resource of one of its kinds.
    void check(Place document, Check check);

    private static Set<String> union(Set<String> one, Set<String> other) {
        return Stream.concat(one.stream(), other.stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
