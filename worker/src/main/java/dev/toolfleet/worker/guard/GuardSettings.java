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

    /// For what a person has to judge: all of it is shown, except secrets that the fleet itself holds.
    ///
    /// Why: a shape is the caller's to choose. Otherwise: a call hides a command as the password of an address, the person
    /// sees a marker over what is usually hidden, and approves what nobody has read.
    static final GuardSettings QUESTION = new GuardSettings(MAX_CONTENT_LENGTH, List.of(), Unseen.SHOWN, false, false,
            false, false);
}
