package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.regex.Pattern;

import tools.jackson.databind.node.ObjectNode;

/// How a model calls the exports of a Tool; its `apiVersion` decides.
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
    /// The export's name as it is, dots included; unique among the tools of an agent (seed tool.md v0.8, section 3.2).
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

    /// The naming of a Tool, from its JSON.
    public static ToolNaming of(ObjectNode tool) {
        return tool.path("apiVersion").asString("").equals(Kinds.V08) ? DOTTED : SEPARATED;
    }

    /// The name by which a model calls an export.
    ///
    /// @throws IllegalArgumentException when [#problem] has something to say, where names are separated
    public abstract String fullName(String tool, String export);

    /// Why the names make no full name, as a clause that follows a name; empty when they do.
    public abstract Optional<String> problem(String tool, String export);
}
