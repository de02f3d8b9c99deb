package dev.toolfleet.bundle;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;

import com.google.re2j.Pattern;
import dev.toolfleet.json.CanonicalJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One condition of a rule on the arguments of a call: a place in them (a JSON Pointer, RFC 6901) and a test of the
/// value there.
///
/// **Contract.** A condition is met, not met, or undecided. It is undecided when its place has no value, or a value of
/// a type that its test does not compare. Only `exists` decides about a missing value. [ArgConditions] has the rule of
/// each verdict for undecided conditions.
///
/// **Threads.** Immutable. Place and test are compiled when the condition is read.
public final class ArgCondition {
    /// The fields of a condition beside its test.
    static final String PATH = "path";
    /// The longest text that is matched without checks for interrupts.
    private static final int AT_ONCE = 2_048;
    /// The longest text that is matched; a longer one is undecided, since a pattern reads each character.
    public static final int LONGEST_TEXT = 100_000;

    private final JsonPointer path;
    private final Test test;
    private final String text;

    ArgCondition(JsonPointer path, Test test, ObjectNode written) {
        this.path = path;
        this.test = test;
        this.text = CanonicalJson.of(written);
    }

    /// Outcome of a test.
    public enum Outcome {
        /// The value meets the test.
        MET,
        /// The value has the type that the test compares, but does not meet it.
        NOT_MET,
        /// There is no value, or one that the test cannot compare.
        UNDECIDED
    }

    /// A test of one value.
    sealed interface Test {
        /// Tests the value at the place; a missing node for no value.
        Outcome of(JsonNode value);

        /// Returns the compared type, as in "a number".
        String comparable();
    }

    /// Tests whether there is a value, of any type; `null` is one.
    record Exists(boolean wanted) implements Test {
        @Override
        public Outcome of(JsonNode value) {
            return outcome(value.isMissingNode() != wanted);
        }

        @Override
        public String comparable() {
            return "anything";
        }
    }

    /// Tests for one of these texts, numbers, or flags. A value of a type that none of them has is undecided.
    record OneOf(Set<String> texts, List<BigDecimal> numbers, Set<Boolean> flags) implements Test {
        OneOf {
            texts = Set.copyOf(texts);
            numbers = List.copyOf(numbers);
            flags = Set.copyOf(flags);
        }

        @Override
        public Outcome of(JsonNode value) {
            if (value.isString() && !texts.isEmpty())
                return outcome(texts.contains(value.stringValue()));
            if (value.isBoolean() && !flags.isEmpty())
                return outcome(flags.contains(value.booleanValue()));
            BigDecimal number = numbers.isEmpty() ? null : number(value);
            if (number == null)
                return Outcome.UNDECIDED;
            for (BigDecimal wanted : numbers) {
                if (wanted.compareTo(number) == 0)
                    return Outcome.MET;
            }
            return Outcome.NOT_MET;
        }

        @Override
        public String comparable() {
            return String.join(" or ", List.of(texts.isEmpty() ? "" : "a text", numbers.isEmpty() ? "" : "a number",
                    flags.isEmpty() ? "" : "true or false").stream().filter(type -> !type.isEmpty()).toList());
        }
    }

    /// Tests a whole text; `*` in the pattern stands for anything.
    record Like(Glob glob) implements Test {
        @Override
        public Outcome of(JsonNode value) {
            return isText(value) ? outcome(glob.matches(value.stringValue())) : Outcome.UNDECIDED;
        }

        @Override
        public String comparable() {
            return "a text of at most " + LONGEST_TEXT + " characters";
        }
    }

    /// Tests a whole text with a pattern of RE2.
    record Matching(Pattern pattern) implements Test {
        @Override
        public Outcome of(JsonNode value) {
            if (!isText(value))
                return Outcome.UNDECIDED;
            String text = value.stringValue();
            return outcome(pattern.matcher(text.length() <= AT_ONCE ? text : new InterruptibleText(text)).matches());
        }

        @Override
        public String comparable() {
            return "a text of at most " + LONGEST_TEXT + " characters";
        }
    }

    /// Tests for a number on one side of a limit; the limit itself does not count.
    ///
    /// @param sign -1 for smaller numbers, 1 for larger ones
    record Beyond(BigDecimal limit, int sign) implements Test {
        @Override
        public Outcome of(JsonNode value) {
            BigDecimal number = number(value);
            return number == null
                    ? Outcome.UNDECIDED
                    : outcome(Integer.signum(number.compareTo(limit)) == sign);
        }

        @Override
        public String comparable() {
            return "a number";
        }
    }

    /// Tests the value at the condition's place.
    public Outcome check(JsonNode arguments) {
        return test.of(arguments.at(path));
    }

    /// Returns the reason of the outcome, for people. Quotes nothing of the arguments.
    public String why(JsonNode arguments) {
        JsonNode value = arguments.at(path);
        return switch (test.of(value)) {
            case MET -> "met";
            case NOT_MET -> "not met";
            case UNDECIDED -> value.isMissingNode()
                    ? "undecided: nothing is at " + path
                    : "undecided: the value is no " + test.comparable().replaceFirst("^an? ", "");
        };
    }

    /// Returns its one form: canonical JSON.
    public String text() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ArgCondition condition && condition.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    private static Outcome outcome(boolean met) {
        return met ? Outcome.MET : Outcome.NOT_MET;
    }

    private static boolean isText(JsonNode value) {
        return value.isString() && value.stringValue().length() <= LONGEST_TEXT;
    }

    /// Returns the number; null for a value that cannot be compared, such as NaN from a middleware.
    private static @Nullable BigDecimal number(JsonNode value) {
        if (!value.isNumber() || ((value.isDouble() || value.isFloat()) && !Double.isFinite(value.doubleValue())))
            return null;
        return value.decimalValue();
    }
}
