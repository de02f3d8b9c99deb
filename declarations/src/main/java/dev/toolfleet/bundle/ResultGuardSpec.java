package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import tools.jackson.databind.node.ObjectNode;

/// A ResultGuard: rules for publishing the results of its tools. Every switch may be left out; then less specific
/// guards decide, and in the end the fleet's defaults.
///
/// @param reach the scope of the results
/// @param selector the tools; without any field it selects all
/// @param maxContentLength the longest result, in characters of its JSON
/// @param redactPatterns patterns to redact beside the fleet's own, in RE2's syntax; those of all guards add up
/// @param sanitizeHtml true if markup is removed from texts
/// @param allowHtml true if harmless markup stays when markup is removed
/// @param redactFinancialData true if card numbers, social security numbers and bank accounts are redacted
/// @param redactSecrets true if text in the form of a secret is redacted; the fleet's own secrets always are
/// @param stripControlCharacters true if control characters, escape sequences and invisible characters are removed
public record ResultGuardSpec(String name, ToolPolicySpec.Reach reach, RuleSelector selector,
        Optional<Integer> maxContentLength, List<String> redactPatterns, Optional<Boolean> sanitizeHtml,
        Optional<Boolean> allowHtml, Optional<Boolean> redactFinancialData, Optional<Boolean> redactSecrets,
        Optional<Boolean> stripControlCharacters) {
    /// The fields of its `spec` that switch something on or off.
    public static final Set<String> FLAGS = Set.of("sanitizeHtml", "allowHtml", "redactFinancialData",
            "redactSecrets", "stripControlCharacters");
    /// The fields of its `spec` that do not select.
    public static final Set<String> FIELDS = Set.of("reach", "maxContentLength", "redactPatterns", "sanitizeHtml",
            "allowHtml", "redactFinancialData", "redactSecrets", "stripControlCharacters");
    /// The least length; a shorter result could not hold the markers.
    public static final int MIN_CONTENT_LENGTH = 32;
    /// The most patterns: each reads every text.
    public static final int MAX_PATTERNS = 50;

    private static final int MAX_PATTERN = 1_000;

    /// Copies the patterns.
    public ResultGuardSpec {
        redactPatterns = List.copyOf(redactPatterns);
    }

    /// Reads a resource of kind `ResultGuard`. Unknown fields are rejected. Otherwise: leaving one out lets a text pass
    /// that it would redact.
    ///
    /// @throws InvalidResourceException when it is no ResultGuard, a field is unknown or has the wrong shape, or a
    ///         pattern is unusable
    public static ResultGuardSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.RESULT_GUARD);
        spec.known(FIELDS, RuleSelector.FIELDS);
        ResourceJson max = spec.get("maxContentLength");
        ResourceJson patterns = spec.get("redactPatterns");
        if (max.present() && max.whole(0) < MIN_CONTENT_LENGTH)
            throw max.wrong("a whole number of at least " + MIN_CONTENT_LENGTH);
        List<String> texts = patterns.list(ResourceJson::text);
        if (texts.size() > MAX_PATTERNS)
            throw patterns.wrong("at most " + MAX_PATTERNS + " patterns");
        for (String pattern : texts)
            patternProblem(pattern).ifPresent(problem -> {
                throw patterns.wrong("patterns that can be used ('" + pattern + "' " + problem + ")");
            });
        return new ResultGuardSpec(ResourceJson.name(resource),
                spec.get("reach").choice(ToolPolicySpec.Reach.class).orElse(ToolPolicySpec.Reach.BUNDLE),
                RuleSelector.read(spec), max.present() ? Optional.of(max.whole(0)) : Optional.empty(), texts,
                spec.get("sanitizeHtml").optionalFlag(), spec.get("allowHtml").optionalFlag(),
                spec.get("redactFinancialData").optionalFlag(), spec.get("redactSecrets").optionalFlag(),
                spec.get("stripControlCharacters").optionalFlag());
    }

    /// Returns the problem of a pattern, as a clause that follows it; empty for none.
    public static Optional<String> patternProblem(String pattern) {
        if (pattern.isBlank())
            return Optional.of("is blank");
        if (pattern.length() > MAX_PATTERN)
            return Optional.of("is longer than " + MAX_PATTERN + " characters");
        try {
            return Pattern.compile(pattern).matcher("").find()
                    ? Optional.of("fits the empty text, so it would fit everywhere")
                    : Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of("is no RE2 pattern: " + e.getDescription() + at(pattern, e.getPattern()));
        }
    }

    /// Returns the position of a piece: the engine names the wrong piece, but not its position.
    private static String at(String pattern, String piece) {
        int index = piece.isEmpty() ? -1 : pattern.indexOf(piece);
        return index < 0 ? "" : " at character " + (index + 1) + ": '" + piece + "'";
    }
}
