package dev.toolfleet.resources;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.SchemaProblem;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Registered tools as resources: each a Tool of one export under the tool's full name, so that each may come and go
/// without the others.
public final class RegisteredTools {
    /// Room for key, headers and the fields around a declaration.
    private static final int FRAMING_BYTES = 16 * 1024;

    private RegisteredTools() {}

    /// Returns the reason against registering a tool, as a sentence; empty for none.
    public static Optional<String> problem(RegistrationOwner owner, ToolDeclaration declaration) {
        if (ToolName.parse(declaration.name()).isEmpty())
            return Optional.of("the name '" + declaration.name() + "' is none that a model can call: it has to be "
                    + "tool__export, both parts of letters, digits, '-' and single '_'");
        ObjectNode resource = resource(owner, declaration);
        try {
            ToolSpec read = read(resource);
            ObjectNode parameters = read.exports().getFirst().parameters();
            if (!parameters.path("type").asString("object").equals("object"))
                return Optional.of("the parameters of '" + declaration.name() + "' are not those of an object");
            Optional<String> problem = SchemaProblem.of(parameters);
            if (problem.isPresent())
                return Optional.of("the schema of the parameters of '" + declaration.name() + "': " + problem.get());
            Optional<String> output = read.exports().getFirst().output()
                    .flatMap(schema -> SchemaProblem.of(schema.schema()));
            if (output.isPresent())
                return Optional.of("the outputSchema of '" + declaration.name() + "': " + output.get());
        } catch (InvalidResourceException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        int bytes = Json.MAPPER.writeValueAsBytes(resource).length;
        int most = Topic.RESOURCE.maxRecordBytes() - FRAMING_BYTES;
        return bytes <= most
                ? Optional.empty()
                : Optional.of("the declaration of '" + declaration.name() + "' has " + bytes + " bytes and may have "
                        + most);
    }

    /// Returns the declaration with the owner's bundle as the package of its OAuthApp, unless it names one: the owner of
    /// a registration is no bundle.
    public static ToolDeclaration owned(RegistrationOwner owner, ToolDeclaration declaration) {
        ObjectNode export = declaration.export();
        JsonNode ref = export.path("auth").path("oauthAppRef");
        if (!ref.isString() || owner.bundle().isEmpty())
            return declaration;
        ((ObjectNode) export.path("auth")).putObject("oauthAppRef").put("kind", Kinds.OAUTH_APP)
                .put("name", ref.stringValue().replaceFirst("^" + Kinds.OAUTH_APP + "/", ""))
                .put("package", owner.bundle());
        return new ToolDeclaration(declaration.name(), export);
    }

    /// Returns the Tool that a declaration makes.
    ///
    /// @throws InvalidResourceException when [#problem] has one for it
    public static ToolSpec spec(RegistrationOwner owner, ToolDeclaration declaration) {
        return read(resource(owner, declaration));
    }

    static ResourceRecord record(RegistrationOwner owner, long revision, ToolDeclaration declaration) {
        return new ResourceRecord(owner.namespace(), revision, owner.source(), resource(owner, declaration), Map.of(),
                null);
    }

    private static ObjectNode resource(RegistrationOwner owner, ToolDeclaration declaration) {
        ObjectNode tool = Json.MAPPER.createObjectNode().put("apiVersion", Kinds.TOOLFLEET_V1).put("kind", Kinds.TOOL);
        tool.putObject("metadata").put("name", declaration.name());
        ObjectNode spec = tool.putObject("spec").put("entry", owner.namespace());
        ObjectNode export = spec.putArray("exports").addObject();
        ToolName.parse(declaration.name()).ifPresent(name -> export.put("name", name.export()));
        export.setAll(declaration.export());
        return tool;
    }

    /// Reads the Tool of a resource, under the name that is the first part of its full one.
    ///
    /// @throws InvalidResourceException when it is no Tool, or no model can call its name
    static ToolSpec read(ObjectNode resource) {
        ToolSpec spec = ToolSpec.of(resource);
        ToolName name = ToolName.parse(spec.name()).orElseThrow(() -> new InvalidResourceException(
                "Tool/" + spec.name() + " is registered under a name that no model can call."));
        if (spec.exports().size() != 1 || !spec.exports().getFirst().name().equals(name.export()))
            throw new InvalidResourceException("Tool/" + spec.name() + " has to have the one export '" + name.export()
                    + "'.");
        return new ToolSpec(name.resource(), spec.entry(), spec.errorMessageLimit(), spec.runtime(),
                spec.isolation(), spec.network(), spec.naming(), spec.exports());
    }
}
