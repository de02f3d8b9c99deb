package dev.toolfleet.mcp.protocol;

import java.util.Optional;
import java.util.stream.Stream;

/// Revision of the protocol, newest first.
public enum Revision {
    /// Without sessions: each request carries version and capabilities.
    V2026_07_28("2026-07-28"),
    /// The last one that begins with `initialize`.
    V2025_11_25("2025-11-25"),
    /// Brought structured results and the header of the version.
    V2025_06_18("2025-06-18"),
    /// Brought the streamable HTTP transport.
    V2025_03_26("2025-03-26"),
    /// The first one.
    V2024_11_05("2024-11-05");

    /// The newest revision that begins with `initialize`.
    public static final Revision NEWEST_LEGACY = V2025_11_25;

    private final String text;

    Revision(String text) {
        this.text = text;
    }

    /// Returns the revision of that date.
    public static Optional<Revision> of(String text) {
        return Stream.of(values()).filter(revision -> revision.text.equals(text)).findFirst();
    }

    /// Returns its date.
    public String text() {
        return text;
    }

    /// True if requests carry version and capabilities and no `initialize` begins the conversation.
    public boolean isModern() {
        return this == V2026_07_28;
    }

    /// True if it is this revision or a newer one.
    public boolean isAtLeast(Revision other) {
        return compareTo(other) <= 0;
    }
}
