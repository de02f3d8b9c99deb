package dev.toolfleet.session.tokens;

/// Estimate of a text's tokens. Thread-safe and deterministic.
@FunctionalInterface
public interface TokenEstimator {
    /// Four characters to a token, but one for each character of Chinese, Japanese and Korean.
    TokenEstimator STANDARD = TokenEstimator::standard;

    /// Returns the tokens of `text`, at least 0 and finite.
    double tokens(String text);

    /// Returns this estimator, corrected by a model's own count.
    ///
    /// @param factor counted tokens for each estimated one, more than 0
    default TokenEstimator calibrated(double factor) {
        if (!(factor > 0) || Double.isInfinite(factor))
            throw new IllegalArgumentException("factor must be more than 0 and finite, got " + factor);
        return text -> tokens(text) * factor;
    }

    private static double standard(String text) {
        int wide = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (isWide(text.charAt(i)))
                wide++;
        }
        return wide + (length - wide) / 4.0;
    }

    /// Hangul Jamo, CJK radicals to Yi, Hangul syllables, compatibility ideographs, and full-width forms.
    private static boolean isWide(char c) {
        return c >= 0x1100 && (c <= 0x11FF || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3)
                || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFF60));
    }
}
