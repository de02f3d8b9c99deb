package dev.toolfleet.worker.guard;

/// Markers that replace removed text. The texts are the seed's (FinClaw phase 7), and public.
final class Markers {
    static final String TRUNCATED = "[truncated]";
    static final String REDACTED = "[REDACTED]";
    static final String NO_RESULT = "[No result returned]";

    private Markers() {}

    /// Replaces a secret of this length in a question.
    static String secret(int length) {
        return "[REDACTED, " + length + " characters]";
    }
}
