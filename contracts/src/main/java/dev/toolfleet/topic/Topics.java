package dev.toolfleet.topic;

/// The topic names of one fleet.
///
/// @param prefix put before every name, such as `acme.`; may be empty
public record Topics(String prefix) {
    /// Checks that the prefix gives legal topic names.
    public Topics {
        if (!prefix.matches("[a-zA-Z0-9._-]{0,200}")) {
            throw new IllegalArgumentException("topics.prefix '" + prefix
                    + "' is not allowed: letters, digits, '.', '_' and '-', at most 200 characters");
        }
    }

    /// Returns the name of `topic` in this fleet.
    public String name(Topic topic) {
        return prefix.isEmpty() ? topic.baseName() : prefix + topic.baseName();
    }
}
