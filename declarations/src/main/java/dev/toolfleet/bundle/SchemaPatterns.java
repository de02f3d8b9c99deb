package dev.toolfleet.bundle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.MatchResult;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import com.networknt.schema.regex.RegularExpressions;
import org.jspecify.annotations.Nullable;

/// Regular expressions of JSON Schemas, run by RE2: time in proportion to the text, for every pattern. Thread-safe.
///
/// **Why.** Schemas come from strangers. Otherwise: a pattern that backtracks holds a thread that cannot be stopped.
///
/// It rewrites the notations of ECMA 262 as RE2's where RE2 can do the same. Look-around, back references and counts
/// above 1,000 have no such form. Patterns with them are rejected, and so are patterns that grow too large.
public final class SchemaPatterns implements RegularExpressionFactory {
    /// The one factory.
    public static final SchemaPatterns RE2 = new SchemaPatterns();
    /// The text about rejected patterns in messages.
    public static final String HINT = "Patterns are RE2's: no look-around, no back references, no count above 1,000"
            + " (minLength and maxLength bound lengths).";

    private static final int MAX_LENGTH = 4_096;
    private static final int MAX_GROUPS = 200;
    /// The most steps of a compiled pattern, about 100 bytes each.
    private static final int MAX_STEPS = 50_000;
    private static final java.util.regex.Pattern ECMA = java.util.regex.Pattern.compile(
            "\\\\u([dD][89abAB][0-9a-fA-F]{2})\\\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\\\u([0-9a-fA-F]{4})"
                    + "|\\\\u\\{([0-9a-fA-F]{1,6})}|\\\\c([A-Za-z])|\\\\([pP])\\{(?:Script|sc)=(\\w+)}"
                    + "|\\\\[^uc]|(\\[\\^])");
    private static final java.util.regex.Pattern COUNT = java.util.regex.Pattern
            .compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?}");

    private SchemaPatterns() {}

    /// Compiles a pattern.
    ///
    /// @throws IllegalArgumentException when RE2 cannot read it, or it is too large; the message names the pattern
    @Override
    public RegularExpression getRegularExpression(String regex) {
        if (regex.length() > MAX_LENGTH || groups(regex) > MAX_GROUPS || steps(regex) > MAX_STEPS)
            throw refused(regex, "is too large");
        Pattern pattern;
        try {
            pattern = Pattern.compile(re2(regex));
        } catch (PatternSyntaxException e) {
            throw refused(regex, "is none that RE2 can read: " + e.getDescription() + " '" + e.getPattern() + "'");
        }
        return text -> pattern.matcher(new InterruptibleText(text)).find();
    }

    private static IllegalArgumentException refused(String regex, String why) {
        String shown = regex.length() <= 100 ? regex : regex.substring(0, 100) + "…";
        return new IllegalArgumentException("the pattern '" + shown + "' " + why);
    }

    private static String re2(String regex) {
        return ECMA.matcher(RegularExpressions.replaceLongformCharacterProperties(regex))
                .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(notation(found)));
    }

    private static String notation(MatchResult ecma) {
        if (ecma.group(1) != null)
            return codePoint(Character.toCodePoint((char) Integer.parseInt(ecma.group(1), 16),
                    (char) Integer.parseInt(ecma.group(2), 16)));
        if (ecma.group(3) != null)
            return codePoint(Integer.parseInt(ecma.group(3), 16));
        if (ecma.group(4) != null)
            return codePoint(Integer.parseInt(ecma.group(4), 16));
        if (ecma.group(5) != null)
            return codePoint(ecma.group(5).charAt(0) & 0x1f);
        if (ecma.group(6) != null)
            return "\\" + ecma.group(6) + "{" + ecma.group(7) + "}";
        return ecma.group(8) != null ? "[\\s\\S]" : ecma.group();
    }

    private static String codePoint(int value) {
        return "\\x{" + Integer.toHexString(value) + "}";
    }

    private static long groups(String regex) {
        return regex.chars().filter(c -> c == '(').count();
    }

    /// Returns the approximate number of steps with expanded counts. RE2 expands them, also nested ones.
    private static long steps(String regex) {
        Deque<Long> outer = new ArrayDeque<>();
        long sum = 0;
        long last = 0;
        for (int at = 0; at < regex.length() && sum <= MAX_STEPS; at++) {
            char c = regex.charAt(at);
            java.util.regex.Matcher count = COUNT.matcher(regex).region(at, regex.length());
            if (c == '{' && count.lookingAt()) {
                long times = Math.max(1, Math.max(number(count.group(1)), number(count.group(2))));
                sum += last * (times - 1);
                last *= times;
                at = count.end() - 1;
            } else if (c == '(') {
                outer.push(sum);
                sum = 0;
                last = 0;
            } else if (c == ')' && !outer.isEmpty()) {
                last = sum + 2;
                sum = outer.pop() + last;
            } else {
                at = c == '\\' ? at + 1 : c == '[' ? end(regex, at) : at;
                last = 1;
                sum++;
            }
        }
        // An unclosed group cannot be compiled.
        return sum;
    }

    /// Returns the last character of a class.
    private static int end(String regex, int from) {
        for (int at = from + 1; at < regex.length(); at++) {
            if (regex.charAt(at) == '\\')
                at++;
            else if (regex.charAt(at) == ']' && at > from + 1)
                return at;
        }
        return from;
    }

    private static long number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Long.parseLong(digits);
    }
}
