package dev.toolfleet.worker.guard;

/// Set of the ASCII characters of a text, with a flag for all others.
///
/// @param low a bit for each below 64
/// @param high a bit for each from 64 on
record Signs(long low, long high, boolean others) {
    private static final long UPPER_CASE = 0x07FF_FFFEL;
    private static final int TO_LOWER_CASE = 'a' - 'A';

    static Signs of(String text) {
        long low = 0;
        long high = 0;
        boolean others = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 64)
                low |= 1L << c;
            else if (c < 128)
                high |= 1L << (c - 64);
            else
                others = true;
        }
        return new Signs(low, high, others);
    }

    /// Returns the signs of the same text in lower case, and perhaps more: a character that is not ASCII may become any
    /// other.
    Signs inLowerCase() {
        return others ? new Signs(-1, -1, true) : new Signs(low, high | (high & UPPER_CASE) << TO_LOWER_CASE, false);
    }

    /// True if all ASCII signs of the other are among these.
    boolean cover(Signs trigger) {
        return (trigger.low & ~low) == 0 && (trigger.high & ~high) == 0;
    }
}
