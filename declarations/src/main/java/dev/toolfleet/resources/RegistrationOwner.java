package dev.toolfleet.resources;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.wire.ToolSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Owner of registered tools: one use of an extension, by an agent or by the whole fleet, with the configuration of
/// that use; for `mcp`, one server of it.
///
/// @param type [ToolSource#EXTENSION] or [ToolSource#MCP]
/// @param bundle of the agent that lists the extension; empty when the fleet lists it
/// @param agent that lists the extension; empty when the fleet lists it
/// @param extension its name
/// @param server the MCP server's name; empty for an extension's own tools
public record RegistrationOwner(String type, String bundle, String agent, String extension, String server) {
    private static final String OF_FLEET = "fleet";

    /// Checks that the owner is named.
    ///
    /// @throws IllegalArgumentException when it is not
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

    /// True if the name is an owner's namespace, which no bundle may have.
    public static boolean isNamespace(String bundle) {
        return bundle.startsWith(ToolSource.EXTENSION + ":") || bundle.startsWith(ToolSource.MCP + ":");
    }

    /// Returns the owner's replacement for a bundle's name in keys and references: no bundle has such a name.
    public String namespace() {
        return type + ":" + Stream.of(agent.isEmpty() ? OF_FLEET : bundle + "/" + agent, extension, server)
                .filter(part -> !part.isEmpty()).collect(Collectors.joining("/"));
    }

    /// Returns the publisher, as in catalogs.
    public ToolSource source() {
        return type.equals(ToolSource.MCP) ? ToolSource.mcp(extension, server) : new ToolSource(type, extension);
    }

    /// True if the fleet lists the extension, so that every agent sees the tools.
    public boolean ofFleet() {
        return agent.isEmpty();
    }

    /// Returns the form for people: `extension weather`, `mcp github`.
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
