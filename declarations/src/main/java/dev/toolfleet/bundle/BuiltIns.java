package dev.toolfleet.bundle;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

/// Contents of the built-in bundle, which references may name as `@goondan/base` or `@toolfleet/base`.
public interface BuiltIns {
    /// The packages that mean the built-in bundle.
    Set<String> PACKAGES = Set.of("@goondan/base", "@toolfleet/base");

    /// The Extensions of `@goondan/base` (v0.0.3) that belong to the agent runtime: the fleet does not use them, and
    /// ignores references to them.
    Set<String> RUNTIME_EXTENSIONS = Set.of("message-compaction", "message-window", "context-message",
            "required-tools-guard", "inter-agent-response-format");

    /// The built-in Extension that connects to MCP servers. Only bundles declare it, since it does nothing without
    /// servers.
    String MCP = "mcp";

    /// Returns the names of its resources of a kind.
    Set<String> names(String kind);

    /// Returns the names that an entry `builtin:NAME` of this kind may have.
    default Set<String> entries(String kind) {
        return kind.equals(Kinds.EXTENSION)
                ? Stream.concat(names(kind).stream(), Stream.of(MCP)).collect(Collectors.toUnmodifiableSet())
                : names(kind);
    }

    /// Returns the exports of one of its Tools; empty when they are not known.
    default Optional<Set<String>> exports(String tool) {
        return Optional.empty();
    }

    /// No built-in bundle.
    static BuiltIns none() {
        return kind -> Set.of();
    }

    /// Makes the contents of a bundle that was read.
    static BuiltIns of(Bundle bundle) {
        return new BuiltIns() {
            @Override
            public Set<String> names(String kind) {
                return bundle.ofKind(kind).stream().map(Resource::name).collect(Collectors.toUnmodifiableSet());
            }

            @Override
            public Optional<Set<String>> exports(String tool) {
                return bundle.find(Kinds.TOOL, tool).map(BuiltIns::exportNames);
            }
        };
    }

    private static Set<String> exportNames(Resource tool) {
        return tool.spec().path("exports").values().stream().map(export -> export.path("name"))
                .filter(JsonNode::isString).map(JsonNode::stringValue).collect(Collectors.toUnmodifiableSet());
    }
}
