package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.regex.Pattern;

import tools.jackson.databind.node.ObjectNode;

/// Rule for the names by which a model calls the exports of a Tool; the Tool's `apiVersion` selects it.
public enum ToolNaming {
    /// `resource__export`, since v2.0 (seed tool.md v2.0, section 3.1).
    SEPARATED {
        @Override
        public String fullName(String tool, String export) {
            return new ToolName(tool, export).toString();
        }

        @Override
        public Optional<String> problem(String tool, String export) {
            return ToolName.partProblem(tool).or(() -> ToolName.partProblem(export));
        }
    },
    /// The export's name unchanged, dots included; unique among the tools of an agent (seed tool.md v0.8, section 3.2).
    DOTTED {
        @Override
        public String fullName(String tool, String export) {
            return export;
        }

        @Override
        public Optional<String> problem(String tool, String export) {
            return NAME.matcher(export).matches()
                    ? Optional.empty()
                    : Optional.of("may hold only letters a-z and A-Z, digits, '.', '_' and '-'");
        }
    };

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /// Returns the naming of a Tool, from its JSON.
    public static ToolNaming of(ObjectNode tool) {
        return tool.path("apiVersion").asString("").equals(Kinds.V08) ? DOTTED : SEPARATED;
    }

    /// Returns the name by which a model calls an export.
    ///
    /// @throws IllegalArgumentException when [#problem] is not empty, where names are separated
    public abstract String fullName(String tool, String export);

    /// Returns the problem of the names as a full name, as a clause that follows a name; empty for none.
    public abstract Optional<String> problem(String tool, String export);
}
