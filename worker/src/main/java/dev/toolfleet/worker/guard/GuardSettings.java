package dev.toolfleet.worker.guard;

import java.util.List;

import com.google.re2j.Pattern;

/// What the guard does with the results of one tool.
///
/// @param maxContentLength characters of a result's JSON
/// @param patterns redacted beside what the guard finds itself
/// @param unseen what becomes of control and invisible characters
/// @param html whether markup is taken out
/// @param allowHtml whether harmless markup stays then
/// @param financial whether financial data is redacted
/// @param secrets whether what looks like a secret is redacted
record GuardSettings(int maxContentLength, List<Pattern> patterns, Unseen unseen, boolean html, boolean allowHtml,
        boolean financial, boolean secrets) {
    /// The seed's limit.
    static final int MAX_CONTENT_LENGTH = 100_000;

    /// What becomes of characters that nobody sees.
    enum Unseen {
        KEPT, TAKEN_OUT, SHOWN
    }

    GuardSettings {
        patterns = List.copyOf(patterns);
    }

    /// For what a person has to judge: nothing is taken out, but for what must not be published, and that has a marker.
    GuardSettings forQuestion() {
        return new GuardSettings(maxContentLength, patterns, Unseen.SHOWN, false, false, financial, secrets);
    }
}
