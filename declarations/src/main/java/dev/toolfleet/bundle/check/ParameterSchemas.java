package dev.toolfleet.bundle.check;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.SchemaPatterns;
import dev.toolfleet.bundle.Severity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks `parameters` of an export: an object schema, valid as a JSON Schema, closed, and with a description for every
/// property. Its `outputSchema` must be a JSON Schema too.
final class ParameterSchemas {
    private static final String COST = "A model may send anything under any name.";

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(SchemaRegistryConfig.builder().locale(Locale.ROOT)
                    .regularExpressionFactory(SchemaPatterns.RE2).build()));

    void check(Place parameters, Check check) {
        if (!parameters.present()) {
            check.findings().hint(ProblemCode.E_CONFIG_SCHEMA_OPEN, parameters,
                    "The export has no parameters, so it accepts any arguments.",
                    "Without arguments write parameters: {type: object, properties: {}, additionalProperties: false}.");
            return;
        }
        if (!parameters.node().isObject()) {
            return;
        }
        root(parameters, check.findings());
        if (valid(parameters, check.findings())) {
            style(parameters, check.findings());
        }
    }

    /// Checks `outputSchema`, which only has to be a JSON Schema: no model fills it in.
    void checkOutput(Place output, Check check) {
        if (output.node().isObject())
            valid(output, check.findings());
    }

    private static void root(Place parameters, Findings findings) {
        Place type = parameters.get("type");
        if (!type.present()) {
            findings.warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, parameters, "The schema has no type: object.",
                    "Arguments are always an object; some model providers require it.");
        } else if (!type.node().isString() || !type.node().stringValue().equals("object")) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, type,
                    type.path() + " must be object, and is " + type.shown() + ".", "Arguments are always an object.");
        }
    }

    private boolean valid(Place parameters, Findings findings) {
        SpecificationVersion version = SpecificationVersion.fromSchemaNode(parameters.node())
                .orElse(SpecificationVersion.DRAFT_2020_12);
        Schema metaSchema = registry.getSchema(SchemaLocation.of(version.getDialectId()));
        Map<String, Place> invalid = new LinkedHashMap<>();
        for (Error error : metaSchema.validate(parameters.node())) {
            Place at = parameters.at(error.getInstanceLocation());
            if (invalid.putIfAbsent(at.path().toString(), at) == null) {
                findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, at,
                        at.path() + " is no JSON Schema: " + error.getMessage() + ", and it is " + at.shown() + ".",
                        "The keywords and their values are those of JSON Schema 2020-12, unless $schema names another"
                                + " dialect.");
            }
        }
        return invalid.isEmpty() && compiles(parameters, findings);
    }

    /// True if the schema compiles. The meta schema accepts patterns that do not compile and references that lead
    /// nowhere.
    private boolean compiles(Place parameters, Findings findings) {
        try {
            Schema schema = registry.getSchema(parameters.node());
            schema.initializeValidators();
            return true;
        } catch (RuntimeException e) {
            findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, parameters,
                    parameters.path() + " cannot be used as a JSON Schema: " + firstLine(e) + ".",
                    "References must stay inside the schema (#/$defs/…). " + SchemaPatterns.HINT);
            return false;
        }
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
    }

    private static void style(Place parameters, Findings findings) {
        JsonNode more = parameters.node().path("additionalProperties");
        boolean closed = !more.isMissingNode() || parameters.node().has("unevaluatedProperties");
        if (!closed) {
            findings.hint(ProblemCode.E_CONFIG_SCHEMA_OPEN, parameters, "The schema is open. " + COST,
                    "Add additionalProperties: false.");
        }
        for (Place property : parameters.get("properties").fields()) {
            if (property.node() instanceof ObjectNode schema && !schema.has("description") && !schema.has("$ref")) {
                findings.addAtKey(Severity.HINT, ProblemCode.E_CONFIG_DESCRIPTION_MISSING, property,
                        "The property has no description.", "A model fills it in by its description.");
            }
        }
    }
}
