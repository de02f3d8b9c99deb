package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.Objects;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A built-in tool and its declaration: the arguments of calls that succeed are checked against `parameters`, their
/// results against `outputSchema`.
public record DeclaredTool(String name, ToolModule module) {
    private static final SchemaRegistry SCHEMAS = SchemaRegistry
            .withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final JsonMapper LENIENT = JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

    /// Calls an export with arguments in JSON, in which single quotes may stand for double ones.
    public ObjectNode call(String export, String json) throws Exception {
        return call(export, json, FakeToolContext.in(Path.of(".")));
    }

    /// The same in a context of the test's.
    public ObjectNode call(String export, String json, ToolContext ctx) throws Exception {
        ObjectNode input = object(json);
        ToolOutput output = handle(export, input, ctx);
        JsonNode result = (JsonNode) Objects.requireNonNull(((ToolOutput.Value) output).value());
        check(export, "parameters", input);
        check(export, "outputSchema", result);
        return (ObjectNode) result;
    }

    /// Calls an export that has to fail.
    public ToolException failure(String export, String json) throws Exception {
        try {
            throw new AssertionError(export + " " + json + " answered "
                    + handle(export, object(json), FakeToolContext.in(Path.of("."))));
        } catch (ToolException e) {
            assertThat(e.getMessage()).isNotBlank();
            assertThat(e.suggestion()).isNotBlank();
            return e;
        }
    }

    /// Configures the module.
    public DeclaredTool configured(String json) {
        module.configure(object(json));
        return this;
    }

    private ToolOutput handle(String export, ObjectNode input, ToolContext ctx) throws Exception {
        return Objects.requireNonNull(Objects.requireNonNull(module.handlers().get(export), export).handle(ctx, input));
    }

    private void check(String export, String schema, JsonNode value) {
        JsonNode declared = BuiltinBundle.load().bundle().find("Tool", name).orElseThrow().spec().path("exports")
                .values().stream().filter(one -> one.path("name").asString().equals(export)).findFirst().orElseThrow()
                .path(schema);
        assertThat(declared.isObject()).as("%s of %s", schema, export).isTrue();
        assertThat(SCHEMAS.getSchema(declared).validate(value)).as("%s against %s", value, schema).isEmpty();
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) LENIENT.readTree(json);
    }
}
