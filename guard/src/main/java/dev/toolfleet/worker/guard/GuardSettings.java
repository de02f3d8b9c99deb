package dev.toolfleet.worker.guard;

import java.util.List;

import com.google.re2j.Pattern;

/// Settings of the guard for the results of one tool.
///
/// @param maxContentLength characters of a result's JSON
/// @param patterns redacted in addition to the guard's own findings
/// @param unseen treatment of control and invisible characters
/// @param html whether markup is taken out
/// @param allowHtml whether harmless markup stays then
/// @param financial whether financial data is redacted
/// @param secrets whether text that looks like a secret is redacted
record GuardSettings(int maxContentLength, List<Pattern> patterns, Unseen unseen, boolean html, boolean allowHtml,
        boolean financial, boolean secrets) {
    /// The seed's limit.
    static final int MAX_CONTENT_LENGTH = 100_000;

    /// Treatment of invisible characters.
    enum Unseen {
        KEPT, TAKEN_OUT, SHOWN
    }

    GuardSettings {
        patterns = List.copyOf(patterns);
    }

    /// Settings for questions to a person: all of it is shown, except secrets that the fleet itself holds.
    ///
    /// **Why.** The caller can choose any shape of text. Otherwise: a call hides a command as the password of an
    /// address, the person sees a marker over text that is usually hidden, and approves a command that no person has
    /// read.
    static final GuardSettings QUESTION = new GuardSettings(MAX_CONTENT_LENGTH, List.of(), Unseen.SHOWN, false, false,
            false, false);
}
