package dev.toolfleet.client.access;

import org.apache.kafka.common.resource.PatternType;

/// Consumer groups that belong to a principal: one, or all with a common prefix.
///
/// @param name of the group, or the prefix
/// @param pattern literal or prefixed
public record OwnGroup(String name, PatternType pattern) {
    private static final String ALL_THAT_BEGIN_SO = "*";

    /// Parses the text form: a name, or a prefix and `*`.
    ///
    /// @throws IllegalArgumentException when it matches no group, or every group
    public static OwnGroup of(String text) {
        boolean prefixed = text.endsWith(ALL_THAT_BEGIN_SO);
        String name = prefixed ? text.substring(0, text.length() - 1) : text;
        if (name.isBlank() || name.contains(ALL_THAT_BEGIN_SO)) {
            throw new IllegalArgumentException("the group '" + text
                    + "' is not allowed: the name of a group, or the beginning of names and one * at its end");
        }
        return new OwnGroup(name, prefixed ? PatternType.PREFIXED : PatternType.LITERAL);
    }

    /// True if the group is one of these.
    public boolean covers(String group) {
        return pattern == PatternType.PREFIXED ? group.startsWith(name) : group.equals(name);
    }
}
