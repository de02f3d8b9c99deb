package dev.toolfleet.worker.guard;

import java.util.List;
import java.util.Locale;

/// Finds card numbers, US social security numbers and bank accounts in a text.
///
/// **Contract.** Each needs more than its digits: a check digit and an issuer, a shape with valid parts, or a word
/// nearby that names it. So times, volumes, decimals and the numbers of orders stay. It reads each digit a bounded
/// number of times. Pure.
final class FinancialData {
    /// Shapes of written card numbers, the longest first.
    private static final int[][] CARDS = {{4, 4, 4, 4, 3}, {4, 4, 4, 4}, {4, 6, 5}, {4, 4, 4, 3}, {4, 4, 4, 1},
            {4, 3, 3, 3}, {4, 6, 4}, {8, 8}, {6, 13}};
    /// Shapes of accounts of Korean banks.
    private static final int[][] ACCOUNTS = {{3, 3, 6}, {3, 2, 6}, {6, 2, 6}, {4, 3, 6}, {4, 2, 7}, {3, 6, 5},
            {3, 4, 4, 2}, {3, 6, 2, 3}};
    /// A shape of accounts too, and of many other things.
    private static final int[] VAGUE_ACCOUNT = {4, 4, 4};
    private static final int[] SSN = {3, 2, 4};
    private static final int SSN_DIGITS = 9;
    private static final int MIN_ACCOUNT = 10;
    private static final int MAX_ACCOUNT = 14;
    /// Characters before a number in which the words that name it are searched.
    private static final int NEARBY = 40;
    private static final List<String> ACCOUNT_WORDS = List.of("account", "acct", "a/c", "iban", "계좌");
    private static final List<String> CARD_WORDS = List.of("card", "카드");
    private static final List<String> SSN_WORDS = List.of("ssn", "social security");
    private static final List<String> OTHER_WORDS = List.of("part", "sku", "model", "item", "serial", "lot", "order",
            "invoice", "tracking", "phone", "tel", "fax", "mobile", "time", "date", "created", "updated", "since",
            "balance", "amount", "volume", "total", "주문", "전화", "잔액", "금액");

    private final String text;
    private final FieldName field;
    private final Spans spans;
    private final DigitGroups groups;

    private FinancialData(String text, FieldName field, boolean tagsSeparate, Spans spans) {
        this.text = text;
        this.field = field;
        this.spans = spans;
        this.groups = new DigitGroups(text, tagsSeparate);
    }

    /// @param field of the text
    /// @param tagsSeparate whether markup between digits is ignored
    static void find(String text, FieldName field, boolean tagsSeparate, Spans spans) {
        if (text.length() < SSN_DIGITS)
            return;
        FinancialData finder = null;
        int at = 0;
        while (at < text.length()) {
            if (DigitGroups.digit(text.charAt(at)) < 0) {
                at++;
            } else {
                if (finder == null)
                    finder = new FinancialData(text, field, tagsSeparate, spans);
                at = finder.row(at);
            }
        }
    }

    /// True if a number, which has no text around it, must not be published.
    static boolean isNumber(String digits, FieldName field) {
        return (field.card() && CardNumbers.isCard(digits, true)) || (field.ssn() && digits.length() == SSN_DIGITS)
                || (field.account() && digits.length() >= MIN_ACCOUNT && digits.length() <= MAX_ACCOUNT);
    }

    private int row(int from) {
        int end = groups.read(from);
        for (int i = 0; i < groups.count(); i++) {
            int last = card(i);
            if (last < 0)
                last = groups.after(i) == '-' && groups.before(i) != '-' ? hyphenated(i) : plain(i);
            if (last >= 0) {
                spans.add(groups.start(i), groups.end(last));
                i = last;
            }
        }
        return end;
    }

    /// Returns the last group of the card that begins with this one; -1 if none does.
    private int card(int first) {
        if (groups.length(first) >= CardNumbers.SHORTEST)
            return groups.length(first) <= CardNumbers.LONGEST && stands(first)
                    && isCard(first, first) ? first : -1;
        if (groups.after(first) == '<')
            return split(first);
        for (int[] shape : CARDS) {
            int last = first + shape.length - 1;
            if (groups.hasShape(first, shape) && isWhole(first, last) && isCard(first, last))
                return last;
        }
        return -1;
    }

    /// Returns the last group of a card in pieces of any length, with markup between them; -1 if there is none.
    private int split(int first) {
        int digits = 0;
        for (int last = first; last < groups.count() && digits <= CardNumbers.LONGEST; last++) {
            digits += groups.length(last);
            if (digits >= CardNumbers.SHORTEST && digits <= CardNumbers.LONGEST && isCard(first, last))
                return last;
        }
        return -1;
    }

    private boolean isCard(int first, int last) {
        CharSequence digits = groups.digits(first, last);
        return CardNumbers.isCard(digits, false)
                || (CardNumbers.isCard(digits, true) && (field.card() || says(groups.start(first), CARD_WORDS)));
    }

    /// True if the groups are all of the number. Blanks also separate neighbours; with `-` and `.`, groups around a
    /// card show that it is a part of something longer.
    private boolean isWhole(int first, int last) {
        char sign = groups.after(first);
        return sign == ' ' || (groups.before(first) != sign && groups.after(last) != sign);
    }

    /// True if it is neither part of a decimal number, of a word, nor of a file's name. A comma is no sign: lists have
    /// it, too.
    private boolean stands(int group) {
        return !hasPoint(group) && !(isWord(groups.start(group) - 1) && isWord(groups.end(group)))
                && !isFileName(groups.start(group));
    }

    /// True for the number of a name in a path that a program made, as in `/tmp/build-4111111111111111/out`. Such a
    /// path is of use only when it is whole. A name with the word card is redacted all the same.
    private boolean isFileName(int start) {
        int before = start - 1;
        if (!(at(before) == '-' || at(before) == '_') || !Character.isLetter(at(before - 1)))
            return false;
        int from = Math.max(0, start - NEARBY);
        while (before >= from && (isWord(before) || at(before) == '-'))
            before--;
        return at(before) == '/' && !field.card() && !says(start, CARD_WORDS);
    }

    /// True for a dot directly between two digits, unlike the dot of a numbered line and that of a sentence.
    private boolean hasPoint(int group) {
        int before = groups.start(group) - 1;
        int after = groups.end(group);
        return (at(before) == '.' && DigitGroups.digit(at(before - 1)) >= 0)
                || (at(after) == '.' && DigitGroups.digit(at(after + 1)) >= 0);
    }

    private boolean isDecimal(int group) {
        int before = groups.start(group) - 1;
        return hasPoint(group) || (at(groups.end(group)) == ',' && DigitGroups.digit(at(groups.end(group) + 1)) >= 0)
                || (at(before) == ',' && DigitGroups.digit(at(before - 1)) >= 0);
    }

    private int hyphenated(int first) {
        int last = groups.runEnd(first);
        if (isPartOfWord(first, last))
            return -1;
        if (last - first == SSN.length - 1 && groups.hasShape(first, SSN)) {
            boolean said = field.ssn() || says(groups.start(first), SSN_WORDS);
            return isSsn(groups.digits(first, last)) && (said || !isSomethingElse(first)) ? last : -1;
        }
        boolean said = saysAccount(first);
        for (int[] shape : ACCOUNTS) {
            if (last - first == shape.length - 1 && groups.hasShape(first, shape))
                return said || !isSomethingElse(first) ? last : -1;
        }
        return said && last - first == VAGUE_ACCOUNT.length - 1 && groups.hasShape(first, VAGUE_ACCOUNT) ? last : -1;
    }

    /// Returns the group if its digits, without separators, are an account or social security number; only a word
    /// nearby shows that.
    private int plain(int group) {
        int length = groups.length(group);
        if (groups.before(group) == '-' || groups.after(group) == '-' || isDecimal(group)
                || isWord(groups.start(group) - 1) || isWord(groups.end(group)))
            return -1;
        if (length == SSN_DIGITS && (field.ssn() || says(groups.start(group), SSN_WORDS)))
            return group;
        return length >= MIN_ACCOUNT && length <= MAX_ACCOUNT && saysAccount(group) ? group : -1;
    }

    /// True for numbers that the Social Security Administration gives out.
    private static boolean isSsn(CharSequence digits) {
        String area = digits.subSequence(0, 3).toString();
        return !area.equals("000") && !area.equals("666") && area.charAt(0) != '9'
                && !digits.subSequence(3, 5).toString().equals("00")
                && !digits.subSequence(5, SSN_DIGITS).toString().equals("0000");
    }

    /// True if letters are joined to it, as in `PN-123-45-6789`.
    private boolean isPartOfWord(int first, int last) {
        if (groups.before(first) == '.' || groups.after(last) == '.')
            return true;
        int before = groups.start(first) - 1;
        int after = groups.end(last);
        return isWord(before) || isWord(after) || (isJoint(before) && isWord(before - 1))
                || (isJoint(after) && isWord(after + 1));
    }

    private boolean isJoint(int index) {
        return at(index) == '-' || at(index) == '_' || at(index) == '/';
    }

    private boolean isWord(int index) {
        char c = at(index);
        return c == '_' || (c < 0x250 && Character.isLetterOrDigit(c));
    }

    private char at(int index) {
        return index >= 0 && index < text.length() ? text.charAt(index) : ' ';
    }

    private boolean saysAccount(int group) {
        return field.account() || says(groups.start(group), ACCOUNT_WORDS);
    }

    private boolean isSomethingElse(int group) {
        return field.other() || lastOf(before(groups.start(group)), OTHER_WORDS) >= 0;
    }

    /// True if one of the words stands shortly before, and no word after it names something else.
    private boolean says(int start, List<String> words) {
        String before = before(start);
        int said = lastOf(before, words);
        return said >= 0 && lastOf(before.substring(said), OTHER_WORDS) < 0;
    }

    private String before(int start) {
        String near = text.substring(Math.max(0, start - NEARBY), start);
        return near.substring(near.lastIndexOf('\n') + 1).toLowerCase(Locale.ROOT);
    }

    private static int lastOf(String text, List<String> words) {
        int last = -1;
        for (String word : words)
            last = Math.max(last, text.lastIndexOf(word));
        return last;
    }
}
