package dev.toolfleet.bundle.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.AnnotationKeyword;
import com.networknt.schema.path.NodePath;
import dev.toolfleet.bundle.DocPath;
import dev.toolfleet.bundle.Durations;
import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.SchemaPatterns;
import dev.toolfleet.bundle.Severity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// The shapes of one `apiVersion`: fields, types and ranges, as JSON Schemas. They are resources, which editors can use
/// too (docs/validation.md); `errorMessage`, `x-hint`, `x-code` and `x-unknown` word the findings. References between
/// resources, names and contradictions are rules of their own.
///
/// An explicit null counts as absent: YAML writes one for a key without a value. Several threads may use it.
final class Shapes {
    private static final String BASE = "toolfleet://schemas/";
    private static final Set<String> OF_MEMBERS = Set.of("minItems", "not");
    private static final List<Format> FORMATS = List.of(
            new NamedFormat("toolfleet-duration",
                    value -> !value.isString() || Durations.parse(value.stringValue()).isPresent()),
            new NamedFormat("toolfleet-whole", value -> !value.isNumber() || value.isIntegralNumber()));

    private static final Map<String, Shapes> BY_VERSION = new ConcurrentHashMap<>();

    private final SchemaRegistry registry;
    private final Schema schema;

    private Shapes(String apiVersion) {
        registry = SchemaRegistry.withDefaultDialect(
                com.networknt.schema.dialect.Dialect.builder(Dialects.getDraft202012()).formats(FORMATS)
                        .unknownKeywordFactory((keyword, context) -> new AnnotationKeyword(keyword)).build(),
                builder -> builder.schemas(iri -> read(iri, apiVersion)).schemaRegistryConfig(SchemaRegistryConfig
                        .builder().locale(Locale.ROOT).formatAssertionsEnabled(true)
                        .regularExpressionFactory(SchemaPatterns.RE2).build()));
        schema = registry.getSchema(SchemaLocation.of(BASE + "Resource.schema.json"));
    }

    /// Returns the shapes of a version. Only the versions that bundles have are compiled, once.
    static Shapes of(String apiVersion) {
        return BY_VERSION.computeIfAbsent(apiVersion, Shapes::new);
    }

    /// @param unknownField the severity of an unknown field
    void check(Place document, Severity unknownField, Findings findings) {
        Set<DocPath> wrong = new HashSet<>();
        for (Error error : schema.validate(without(document.node(), JsonNode::isNull))) {
            JsonNode rule = rule(error.getSchemaLocation());
            Place place = document.at(error.getInstanceLocation());
            switch (error.getKeyword()) {
                case "additionalProperties" -> unknown(place.get(error.getProperty()), error.getProperty(), rule,
                        unknownField, findings);
                case "required" -> missing(place.get(error.getProperty()),
                        rule.path("properties").path(error.getProperty()), findings);
                default -> {
                    if (wrong.add(place.path()))
                        wrong(place, error, rule, findings);
                }
            }
        }
    }

    private static void unknown(Place place, String name, JsonNode rule, Severity severity, Findings findings) {
        List<String> known = List.copyOf(rule.path("properties").propertyNames());
        findings.addAtKey(severity, ProblemCode.E_CONFIG_UNKNOWN_FIELD, place,
                "No rule knows the field '" + name + "'; " + rule.path("x-unknown").asString("it has no effect") + ".",
                Nearest.hint(name, known, "Known here: " + String.join(", ", known) + "."));
    }

    private static void missing(Place place, JsonNode rule, Findings findings) {
        findings.error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place, place.path() + " is missing.",
                rule.path("x-hint").asString("Add it."));
    }

    private static void wrong(Place place, Error error, JsonNode rule, Findings findings) {
        String keyword = error.getKeyword();
        String shown = OF_MEMBERS.contains(keyword) ? "" : ", and is " + place.shown();
        String hint = rule.path("x-hint").asString("");
        findings.error(ProblemCode.valueOf(rule.path("x-code").asString(ProblemCode.E_CONFIG_SCHEMA_INVALID.name())),
                place, place.path() + " " + expected(keyword, error, rule) + shown + ".",
                keyword.equals("enum")
                        ? Nearest.hint(place.node().asString(""), texts(rule.path("enum")), hint)
                        : hint);
    }

    /// Returns the part of the message behind the path.
    private static String expected(String keyword, Error error, JsonNode rule) {
        JsonNode said = rule.path("errorMessage");
        if (said.isString() || said.has(keyword))
            return said.isString() ? said.stringValue() : said.path(keyword).asString();
        return switch (keyword) {
            case "type" -> "must be " + (rule.path("type").isArray()
                    ? texts(rule.path("type")).stream().map(Shapes::type).collect(Collectors.joining(", or "))
                    : type(rule.path("type").asString()));
            case "enum" -> "must be " + or(texts(rule.path("enum")));
            case "minimum" -> "must be at least " + rule.path("minimum");
            case "maximum" -> "must be at most " + rule.path("maximum");
            default -> error.getMessage();
        };
    }

    private static String type(String type) {
        return switch (type) {
            case "object" -> "a mapping";
            case "array" -> "a list";
            case "boolean" -> "true or false";
            default -> "a " + type;
        };
    }

    private static String or(List<String> texts) {
        return texts.size() == 1
                ? texts.getFirst()
                : String.join(", ", texts.subList(0, texts.size() - 1)) + " or " + texts.getLast();
    }

    private static List<String> texts(JsonNode list) {
        return list.values().stream().map(JsonNode::asString).toList();
    }

    /// Returns the schema object that has the keyword at the location.
    private JsonNode rule(SchemaLocation location) {
        JsonNode rule = registry.getSchema(new SchemaLocation(location.getAbsoluteIri())).getSchemaNode();
        NodePath path = location.getFragment();
        for (int i = 0; i < path.getNameCount() - 1; i++)
            rule = rule.isArray() ? rule.path((Integer) path.getElement(i)) : rule.path(path.getName(i));
        return rule;
    }

    /// Reads a schema, without the fields of other versions.
    private static String read(String iri, String apiVersion) {
        try (InputStream in = Shapes.class
                .getResourceAsStream("/dev/toolfleet/bundle/schemas/" + iri.substring(BASE.length()))) {
            JsonNode all = JsonMapper.shared().readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return without(all, field -> !field.path("x-apiVersion").asString(apiVersion).equals(apiVersion))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns a copy without the fields of those values, and with nulls in place of numbers beyond a long. Otherwise: the
    /// validator throws when it compares them; to every type of a schema they are as wrong as a null.
    private static JsonNode without(JsonNode tree, Predicate<JsonNode> left) {
        return switch (tree) {
            case ObjectNode object -> {
                ObjectNode copy = object.objectNode();
                object.forEachEntry((name, value) -> {
                    if (!left.test(value))
                        copy.set(name, without(value, left));
                });
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = array.arrayNode();
                array.forEach(item -> copy.add(without(item, left)));
                yield copy;
            }
            default -> tree.isNumber() && !(Math.abs(tree.doubleValueOpt().orElse(Double.NaN)) < Long.MAX_VALUE)
                    ? NullNode.instance
                    : tree;
        };
    }

    /// Test of a value that no other keyword makes: a pattern cannot sum a duration, and to a schema 3.0 is an integer.
    private record NamedFormat(String name, Predicate<JsonNode> fits) implements Format {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean matches(ExecutionContext context, SchemaContext schema, JsonNode value) {
            return fits.test(value);
        }
    }
}
