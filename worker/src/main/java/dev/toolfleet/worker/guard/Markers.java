package dev.toolfleet.worker.guard;

/// What stands in the place of what was taken out. The texts are the seed's (FinClaw phase 7), and public.
final class Markers {
    static final String TRUNCATED = "[truncated]";
    static final String REDACTED = "[REDACTED]";
    static final String NO_RESULT = "[No result returned]";

    private Markers() {}

    /// Stands in a question for a secret of this length.
    static String secret(int length) {
        return "[REDACTED, " + length + " characters]";
    }
}
