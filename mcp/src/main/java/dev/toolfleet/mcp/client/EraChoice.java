package dev.toolfleet.mcp.client;

/// Era in which a client opens a conversation.
public enum EraChoice {
    /// Find out. Cache the result ([ServerDescription#era]) for a server's next processes.
    PROBE,
    /// Revision 2026-07-28 and later.
    MODERN,
    /// Revisions that begin with `initialize`.
    LEGACY
}
