package dev.toolfleet.resources;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.wire.ToolSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Whose registered tools these are: one use of an extension, by an agent or by the whole fleet, with the configuration
/// that holds there; and for `mcp` one server of it.
///
/// @param type [ToolSource#EXTENSION] or [ToolSource#MCP]
/// @param bundle of the agent that lists the extension; empty when the fleet lists it
/// @param agent that lists the extension; empty when the fleet lists it
/// @param extension its name
/// @param server the MCP server's name; empty for an extension's own tools
public record RegistrationOwner(String type, String bundle, String agent, String extension, String server) {
    private static final String OF_FLEET = "fleet";

    /// Checks that the owner can be named.
    ///
    /// @throws IllegalArgumentException when it cannot
    public RegistrationOwner {
        requireNonNull(bundle, "bundle");
        if (!type.equals(ToolSource.EXTENSION) && !type.equals(ToolSource.MCP))
            throw new IllegalArgumentException("a registration's source is extension or mcp, not '" + type + "'");
        if (extension.isEmpty() || type.equals(ToolSource.MCP) == server.isEmpty()
                || bundle.isEmpty() != agent.isEmpty())
            throw new IllegalArgumentException("the owner of a registration lacks a name: bundle '" + bundle
                    + "', agent '" + agent + "', extension '" + extension + "', server '" + server + "'");
        for (String part : new String[]{agent, extension, server}) {
            if (part.contains("/"))
                throw new IllegalArgumentException("'" + part + "' cannot name the owner of a registration, because it "
                        + "holds a '/'; choose a name without");
        }
    }

    /// The tools of an extension that an agent lists.
    public static RegistrationOwner extension(String bundle, String agent, String extension) {
        return new RegistrationOwner(ToolSource.EXTENSION, bundle, agent, extension, "");
    }

    /// The tools of one of an extension's MCP servers.
    public RegistrationOwner server(String name) {
        return new RegistrationOwner(ToolSource.MCP, bundle, agent, extension, name);
    }

    /// Whether the name of a bundle is that of an owner, and so none that a bundle may have.
    public static boolean isNamespace(String bundle) {
        return bundle.startsWith(ToolSource.EXTENSION + ":") || bundle.startsWith(ToolSource.MCP + ":");
    }

    /// What stands in the place of a bundle's name in keys and references: no bundle has such a name.
    public String namespace() {
        return type + ":" + Stream.of(agent.isEmpty() ? OF_FLEET : bundle + "/" + agent, extension, server)
                .filter(part -> !part.isEmpty()).collect(Collectors.joining("/"));
    }

    /// Who publishes, as catalogs say it.
    public ToolSource source() {
        return type.equals(ToolSource.MCP) ? ToolSource.mcp(extension, server) : new ToolSource(type, extension);
    }

    /// Whether the fleet lists the extension, so that every agent sees the tools.
    public boolean ofFleet() {
        return agent.isEmpty();
    }

    /// For people: `extension weather`, `mcp github`.
    @Override
    public String toString() {
        ToolSource source = source();
        return source.type() + " " + source.name();
    }

    ObjectNode json() {
        return JsonNodeFactory.instance.objectNode().put("bundle", bundle).put("agent", agent)
                .put("extension", extension).put("server", server);
    }

    static RegistrationOwner of(String type, JsonNode json) {
        return new RegistrationOwner(type, json.path("bundle").asString(""), json.path("agent").asString(""),
                json.path("extension").asString(""), json.path("server").asString(""));
    }
}
