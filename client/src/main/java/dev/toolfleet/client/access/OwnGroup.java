package dev.toolfleet.client.access;

import org.apache.kafka.common.resource.PatternType;

/// Consumer groups that belong to a principal: one, or all whose names begin alike.
///
/// @param name of the group, or what the names begin with
/// @param pattern literal or prefixed
public record OwnGroup(String name, PatternType pattern) {
    private static final String ALL_THAT_BEGIN_SO = "*";

    /// As a person writes it: a name, or a beginning and `*`.
    ///
    /// @throws IllegalArgumentException when it says nothing, or everything
    public static OwnGroup of(String text) {
        boolean prefixed = text.endsWith(ALL_THAT_BEGIN_SO);
        String name = prefixed ? text.substring(0, text.length() - 1) : text;
        if (name.isBlank() || name.contains(ALL_THAT_BEGIN_SO)) {
            throw new IllegalArgumentException("the group '" + text
                    + "' is not allowed: the name of a group, or the beginning of names and one * at its end");
        }
        return new OwnGroup(name, prefixed ? PatternType.PREFIXED : PatternType.LITERAL);
    }

    /// Whether a group is one of these.
    public boolean covers(String group) {
        return pattern == PatternType.PREFIXED ? group.startsWith(name) : group.equals(name);
    }
}
