package dev.toolfleet.worker.guard;

/// Finds private keys in PEM form, from the first line to the last. A key without an end was cut, and extends as far as
/// its letters do. Linear: no end is searched twice. Not thread-safe.
final class PrivateKeys {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final int LONGEST_LABEL = 60;
    /// Twice the length of an RSA key of 16,384 bits.
    private static final int LONGEST_KEY = 32_768;
    /// Longest text between the label and the body: line ends in all their spellings, headers of an encrypted key.
    private static final int PREAMBLE = 300;
    private static final int FIRST_LINE = 40;

    private final String text;
    /// Place of the last end that was found; the text's length if there is none any more.
    private int end = -1;
    private int close = -1;

    private PrivateKeys(String text) {
        this.text = text;
    }

    static void find(String text, Spans spans) {
        if (text.contains(BEGIN))
            new PrivateKeys(text).find(spans);
    }

    private void find(Spans spans) {
        int begin = text.indexOf(BEGIN);
        while (begin >= 0) {
            int next = begin + BEGIN.length();
            int labelEnd = text.indexOf(DASHES, next);
            if (labelEnd < 0)
                return;
            int body = labelEnd + DASHES.length();
            if (labelEnd - begin < LONGEST_LABEL && text.substring(begin, labelEnd).endsWith("PRIVATE KEY")
                    && hasBody(body)) {
                next = keyEnd(body);
                spans.add(begin, next);
            }
            begin = text.indexOf(BEGIN, next);
        }
    }

    /// True if a first line follows; source code that mentions keys has none.
    private boolean hasBody(int from) {
        int run = 0;
        for (int i = from; i < text.length() && i < from + PREAMBLE && run < FIRST_LINE; i++)
            run = isBase64(text.charAt(i)) ? run + 1 : 0;
        return run == FIRST_LINE;
    }

    private static boolean isBase64(char c) {
        return c == '+' || c == '/' || (c < 0x80 && Character.isLetterOrDigit(c));
    }

    private int keyEnd(int body) {
        if (end < body) {
            int found = text.indexOf(END, body);
            end = found < 0 ? text.length() : found;
            close = found < 0 ? -1 : text.indexOf(DASHES, found + END.length());
        }
        if (close >= 0 && end - body <= LONGEST_KEY)
            return close + DASHES.length();
        int at = body;
        while (at < text.length() && (isBase64(text.charAt(at)) || "=\\ \t\r\n:,.-".indexOf(text.charAt(at)) >= 0))
            at++;
        return at;
    }
}
