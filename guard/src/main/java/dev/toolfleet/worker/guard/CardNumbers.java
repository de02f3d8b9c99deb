package dev.toolfleet.worker.guard;

/// Test for the numbers of payment cards: digits that an issuer gives out (ISO/IEC 7812, by first digits and length)
/// and whose check digit is right. Pure.
final class CardNumbers {
    static final int SHORTEST = 13;
    static final int LONGEST = 19;
    private static final int PREFIX = 6;

    private CardNumbers() {}

    /// @param digits ASCII digits
    /// @param likely whether the text around it mentions a card
    static boolean isCard(CharSequence digits, boolean likely) {
        int length = digits.length();
        if (length < SHORTEST || length > LONGEST)
            return false;
        int prefix = 0;
        for (int i = 0; i < PREFIX; i++)
            prefix = prefix * 10 + digits.charAt(i) - '0';
        return (isIssued(prefix, length) || (likely && isRare(prefix))) && hasCheckDigit(digits);
    }

    private static boolean isIssued(int prefix, int length) {
        int two = prefix / 10_000;
        int three = prefix / 1_000;
        int four = prefix / 100;
        if (two / 10 == 4) // Visa
            return length == 13 || length == 16 || length == 19;
        if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) // Mastercard
            return length == 16;
        if (two == 34 || two == 37) // American Express
            return length == 15;
        if ((three >= 300 && three <= 305) || two == 36 || two == 38 || two == 39) // Diners Club
            return length == 14;
        if (four >= 3528 && four <= 3589) // JCB
            return length == 16 || length == 19;
        if (four == 6011 || (three >= 644 && three <= 649) || two == 65 || two == 62) // Discover, UnionPay
            return length == 16 || length == 19;
        return two / 10 == 9 && length == 16; // cards of Korean banks for use in Korea
    }

    /// True for Maestro, UnionPay and others of any length, whose first digits alone prove too little.
    private static boolean isRare(int prefix) {
        int two = prefix / 10_000;
        return two == 50 || (two >= 56 && two <= 69);
    }

    /// True if Luhn's sum is right.
    static boolean hasCheckDigit(CharSequence digits) {
        int sum = 0;
        boolean twice = false;
        for (int i = digits.length() - 1; i >= 0; i--) {
            int digit = digits.charAt(i) - '0';
            if (twice)
                digit = digit > 4 ? digit * 2 - 9 : digit * 2;
            sum += digit;
            twice = !twice;
        }
        return sum % 10 == 0;
    }
}
