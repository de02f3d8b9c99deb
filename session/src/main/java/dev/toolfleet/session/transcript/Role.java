package dev.toolfleet.session.transcript;

import java.util.Locale;
import java.util.Optional;

/// Author of a transcript's entry, as models name it.
public enum Role {
    /// A person, or a program that speaks in a person's place.
    USER,
    /// The model.
    ASSISTANT,
    /// The instructions of the agent's author.
    SYSTEM,
    /// A tool, which answers one call.
    TOOL;

    /// Returns the role with this wire name, such as `user`; empty for other names.
    public static Optional<Role> of(String wireName) {
        for (Role role : values()) {
            if (role.wireName().equals(wireName))
                return Optional.of(role);
        }
        return Optional.empty();
    }

    /// Returns the name in records and files, such as `user`.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
