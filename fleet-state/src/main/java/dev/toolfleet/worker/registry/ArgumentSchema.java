package dev.toolfleet.worker.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import dev.toolfleet.bundle.SchemaPatterns;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Validator of arguments against the JSON Schema that the model saw: the whole dialect (2020-12 unless the schema
/// names another), without coercion. Never fetches a remote schema. Thread-safe.
public final class ArgumentSchema {
    /// Most issues that an error lists.
    private static final int SHOWN = 5;
    private static final String ENDLESS = "it refers to itself without end";
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().regularExpressionFactory(SchemaPatterns.RE2).build()));

    private final String tool;
    private final ObjectNode parameters;
    private final @Nullable Schema schema;
    private final String defect;

    private ArgumentSchema(String tool, ObjectNode parameters, @Nullable Schema schema, String defect) {
        this.tool = tool;
        this.parameters = parameters;
        this.schema = schema;
        this.defect = defect;
    }

    /// Compiles a tool's `parameters`. With an invalid schema every call is refused with that reason.
    static ArgumentSchema compile(String tool, ObjectNode parameters) {
        try {
            Schema schema = REGISTRY.getSchema(parameters);
            schema.initializeValidators();
            return new ArgumentSchema(tool, parameters, schema, "");
        } catch (SchemaException | IllegalArgumentException e) {
            return new ArgumentSchema(tool, parameters, null, String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            return new ArgumentSchema(tool, parameters, null, ENDLESS);
        }
    }

    /// Returns the error for `args`; null if they are valid.
    public @Nullable ToolError check(JsonNode args) {
        if (!args.isObject()) {
            return error(
                    List.of("args: an object expected, got " + args.getNodeType().name().toLowerCase(Locale.ROOT)));
        }
        Schema compiled = schema;
        if (compiled == null)
            return error(List.of("the tool's own schema is not valid: " + defect));
        List<Error> found;
        try {
            found = compiled.validate(args, context -> context
                    .executionConfig(config -> config.locale(Locale.ENGLISH).formatAssertionsEnabled(false)));
        } catch (SchemaException e) {
            return error(List.of("the tool's own schema is not valid: " + e.getMessage()));
        } catch (StackOverflowError e) {
            return error(List.of("the tool's own schema is not valid: " + ENDLESS));
        }
        return found.isEmpty() ? null : error(found.stream().map(ArgumentSchema::issue).toList());
    }

    private ToolError error(List<String> issues) {
        List<String> shown = new ArrayList<>(issues.subList(0, Math.min(SHOWN, issues.size())));
        if (issues.size() > SHOWN)
            shown.add("+" + (issues.size() - SHOWN) + " more");
        return ToolError.of(ErrorCode.E_TOOL_INVALID_ARGS,
                "Invalid arguments for tool '" + tool + "': " + String.join("; ", shown))
                .suggesting(
                        ErrorCode.E_TOOL_INVALID_ARGS.suggestion() + " required=" + names(parameters.path("required"))
                                + ", allowed=" + names(parameters.path("properties")));
    }

    private static String names(JsonNode listOrMap) {
        List<String> names = new ArrayList<>();
        if (listOrMap.isArray()) {
            listOrMap.forEach(name -> names.add(name.asString("")));
        } else {
            listOrMap.properties().forEach(entry -> names.add(entry.getKey()));
        }
        return names.isEmpty() ? "(none)" : names.toString();
    }

    private static String issue(Error error) {
        return path(error.getInstanceLocation()) + ": " + error.getMessage();
    }

    private static String path(@Nullable NodePath location) {
        StringBuilder path = new StringBuilder("args");
        for (int i = 0; location != null && i < location.getNameCount(); i++) {
            Object element = location.getElement(i);
            if (element instanceof Integer) {
                path.append('[').append(element).append(']');
            } else {
                path.append('.').append(element);
            }
        }
        return path.toString();
    }
}
