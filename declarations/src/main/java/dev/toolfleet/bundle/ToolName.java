package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.regex.Pattern;

/// Name by which a model calls an export: `resource__export`, as in `bash__exec`.
///
/// Both parts are ASCII letters, digits, `_` and `-`; neither holds `__` nor begins or ends with `_`, so that a name
/// splits in one way only.
public record ToolName(String resource, String export) {
    /// The longest tool name that model providers commonly accept.
    public static final int PROVIDER_LIMIT = 64;

    private static final String SEPARATOR = "__";
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9_-]+");

    /// @throws IllegalArgumentException when a part cannot be used
    public ToolName {
        require(resource);
        require(export);
    }

    /// Splits at the first `__`; empty when that does not give two usable parts.
    public static Optional<ToolName> parse(String name) {
        int at = name.indexOf(SEPARATOR);
        if (at < 0) {
            return Optional.empty();
        }
        String resource = name.substring(0, at);
        String export = name.substring(at + SEPARATOR.length());
        boolean usable = partProblem(resource).isEmpty() && partProblem(export).isEmpty();
        return usable ? Optional.of(new ToolName(resource, export)) : Optional.empty();
    }

    /// Returns the problem of a Tool's or an export's name, as a clause that follows the name; empty for none.
    public static Optional<String> partProblem(String part) {
        if (part.isEmpty()) {
            return Optional.of("is empty");
        }
        if (!PART.matcher(part).matches()) {
            return Optional.of("may hold only letters a-z and A-Z, digits, '_' and '-'");
        }
        if (part.contains(SEPARATOR)) {
            return Optional.of("must not contain '__', which separates a Tool from its export");
        }
        if (part.startsWith("_") || part.endsWith("_")) {
            return Optional.of("must not begin or end with '_', because the full name would split elsewhere");
        }
        return Optional.empty();
    }

    /// The full name.
    @Override
    public String toString() {
        return resource + SEPARATOR + export;
    }

    private static void require(String part) {
        partProblem(part).ifPresent(problem -> {
            throw new IllegalArgumentException("'" + part + "' " + problem + ".");
        });
    }
}
