package dev.toolfleet.bundle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Source of a tool, for rules that select by it. FinClaw's words are read too: its built-in tools are those of the
/// built-in bundle, its plugins and skills are extensions.
public enum RuleSource {
    /// Any bundle, the built-in one included.
    CONFIG,
    /// The built-in bundle.
    BUILT_IN,
    /// An extension.
    EXTENSION,
    /// An MCP server.
    MCP;

    private static final Map<String, RuleSource> TEXTS = Map.of("config", CONFIG, "built-in", BUILT_IN, "extension",
            EXTENSION, "plugin", EXTENSION, "skill", EXTENSION, "mcp", MCP);

    /// The source of that text.
    public static Optional<RuleSource> parse(String text) {
        return Optional.ofNullable(TEXTS.get(text));
    }

    /// All texts.
    public static List<String> texts() {
        return List.copyOf(new TreeSet<>(TEXTS.keySet()));
    }

    /// True if it includes every tool of the other source.
    public boolean covers(RuleSource other) {
        return this == other || (this == CONFIG && other == BUILT_IN);
    }

    /// Returns its text in bundles.
    public String text() {
        return Choices.text(this);
    }
}
