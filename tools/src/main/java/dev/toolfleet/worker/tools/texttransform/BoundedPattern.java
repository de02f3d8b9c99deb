package dev.toolfleet.worker.tools.texttransform;

import java.util.regex.MatchResult;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.toolfleet.bundle.InterruptibleText;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;
import org.jspecify.annotations.Nullable;

/// A regular expression that a model wrote. RE2 never backtracks, but for counted repetitions it multiplies the
/// expression, and its parser recurses: both are bounded here.
record BoundedPattern(Pattern pattern) {
    private static final int MAX_LENGTH = 1000;
    private static final int MAX_PROGRAM = 50_000;
    private static final int MAX_GROUPS = 100;
    private static final java.util.regex.Pattern COUNTS = java.util.regex.Pattern
            .compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?}");
    private static final String SUGGESTION = "Write a shorter expression in RE2 syntax; it has no look-around and no"
            + " back references.";

    /// Compiles it.
    ///
    /// @throws ToolException `E_TOOL_INVALID_ARGS` when it is none or too large
    static BoundedPattern compile(String expression) {
        if (expression.length() > MAX_LENGTH || program(expression) > MAX_PROGRAM || groups(expression) > MAX_GROUPS)
            throw Arguments.invalid("'search' is too large a regular expression: at most " + MAX_LENGTH
                    + " characters, " + MAX_GROUPS + " groups, and few counted repetitions", SUGGESTION);
        try {
            return new BoundedPattern(Pattern.compile(expression));
        } catch (PatternSyntaxException e) {
            throw Arguments.invalid("'search' is no regular expression: " + e.getMessage(), SUGGESTION);
        }
    }

    /// A matcher over the text that ends soon after its thread was interrupted, as [InterruptibleText] does.
    Matcher over(String text) {
        return pattern.matcher(new InterruptibleText(text));
    }

    /// Returns an upper bound of the steps of the compiled expression.
    private static long program(String expression) {
        long program = expression.length();
        for (MatchResult count : COUNTS.matcher(expression).results().toList()) {
            long times = Math.max(number(count.group(1)), number(count.group(2)));
            program = Math.min(Integer.MAX_VALUE, program * Math.max(1, times));
        }
        return program;
    }

    private static long number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    private static long groups(String expression) {
        return expression.chars().filter(c -> c == '(').count();
    }
}
