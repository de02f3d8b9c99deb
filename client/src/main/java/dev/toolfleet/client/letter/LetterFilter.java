package dev.toolfleet.client.letter;

import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/// Which dead letters are meant.
///
/// @param reason the word that they have, such as `late`; or how their reason begins; null for any
/// @param topic where they come from, with the fleet's prefix or without; null for anywhere
/// @param since when they became dead letters, then or later; null for whenever
public record LetterFilter(@Nullable String reason, @Nullable String topic, @Nullable Instant since) {
    /// All of them.
    public static final LetterFilter ALL = new LetterFilter(null, null, null);

    /// True if it selects the letter.
    ///
    /// @param prefix of the fleet's topics
    public boolean means(Letter letter, String prefix) {
        return meansReason(letter) && meansTopic(letter, prefix)
                && (since == null || !letter.at().isBefore(since));
    }

    private boolean meansReason(Letter letter) {
        if (reason == null)
            return true;
        String wanted = reason.strip().toLowerCase(Locale.ROOT);
        return letter.kind().equals(wanted)
                || (wanted.contains(" ") && letter.reason().toLowerCase(Locale.ROOT).startsWith(wanted));
    }

    private boolean meansTopic(Letter letter, String prefix) {
        return topic == null || letter.origin()
                .filter(origin -> origin.topic().equals(topic) || origin.topic().equals(prefix + topic)).isPresent();
    }
}
