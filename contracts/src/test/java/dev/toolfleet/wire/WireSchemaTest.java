package dev.toolfleet.wire;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.WireRecords.Golden;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The published schemas equal the records, field by field, so neither can drift from the other.
class WireSchemaTest {
    private static final SchemaRegistry SCHEMAS = SchemaRegistry
            .withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    static Stream<Class<?>> records() {
        return WireRecords.all().stream();
    }

    static Stream<Golden> goldens() {
        return WireRecords.goldens();
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void everyGoldenFitsItsSchema(Golden golden) {
        assertThat(problems(golden.record().getSimpleName(), golden.json())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void whatIsWrittenFitsTheSchema(Golden golden) {
        JsonNode written = WireRecords.write(WireRecords.read(golden.record(), golden.json()));

        assertThat(problems(golden.record().getSimpleName(), written)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("records")
    void aSchemasPropertiesAreTheRecordsComponents(Class<?> record) {
        Set<String> expected = new TreeSet<>();
        for (RecordComponent component : record.getRecordComponents())
            expected.add(component.getName());
        if (StepEvent.class.isAssignableFrom(record))
            expected.add("type");

        assertThat(new TreeSet<>(properties(record).propertyNames())).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("records")
    void aSchemasTypesAreTheRecordsTypes(Class<?> record) {
        for (RecordComponent component : record.getRecordComponents()) {
            JsonNode property = properties(record).path(component.getName());
            assertThat(typeIn(property)).as(component.getName()).isEqualTo(typeOf(component.getType()));
            if (component.getType().isEnum())
                assertThat(texts(property.path("enum"))).isEqualTo(names(component.getType()));
        }
    }

    /// The schema requires the fields that the record always writes: those that are not nullable and have no default.
    @ParameterizedTest
    @MethodSource("records")
    void aSchemaRequiresWhatTheRecordRequires(Class<?> record) {
        Set<String> required = new TreeSet<>();
        for (RecordComponent component : record.getRecordComponents()) {
            boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            if (!nullable && !properties(record).path(component.getName()).has("default"))
                required.add(component.getName());
        }
        if (StepEvent.class.isAssignableFrom(record))
            required.add("type");

        assertThat(texts(WireRecords.schema(record.getSimpleName()).path("required"))).isEqualTo(required);
    }

    @ParameterizedTest
    @MethodSource("records")
    void aSchemaExplainsItselfAndIsOpenToAdditions(Class<?> record) {
        JsonNode schema = WireRecords.schema(record.getSimpleName());

        assertThat(schema.path("title").asString()).isEqualTo(record.getSimpleName());
        assertThat(schema.path("description").asString()).endsWith(".");
        assertThat(schema.path("additionalProperties").asBoolean(false)).isTrue();
        properties(record).forEach(property -> assertThat(property.path("description").asString()).endsWith("."));
    }

    @Test
    void everySchemaIsASchemaAndBelongsToARecord() {
        Schema meta = SCHEMAS.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        List<String> names = WireRecords.files("/dev/toolfleet/schemas").stream()
                .map(file -> requireNonNull(file.getFileName()).toString().replace(".schema.json", "")).toList();

        assertThat(names).containsExactlyInAnyOrderElementsOf(Stream
                .concat(Stream.of("ToolCatalogContent"), records().map(Class::getSimpleName)).toList());
        for (String name : names)
            assertThat(meta.validate(WireRecords.schema(name))).as(name).isEmpty();
    }

    @Test
    void aCatalogsContentIsAnArrayOfItems() {
        WireRecords.files("/golden/ToolCatalogContent").stream().map(WireRecords::json)
                .forEach(content -> assertThat(problems("ToolCatalogContent", content)).isEmpty());

        assertThat(problems("ToolCatalogContent", WireRecords.json(WireRecords.files("/golden/ToolRef").get(0))))
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            ToolResult |  {"status": "gone"}
            ToolResult |  {"status": "error"}
            ToolResult |  {"status": "pending"}
            ToolResult |  {"fingerprint": "md5:00"}
            ToolResult |  {"timing": {"queuedMs": "4"}}
            ToolCall |    {"id": ""}
            ToolCall |    {"stepIndex": 1.5}
            ToolCall |    {"metadata": []}
            ToolCall |    {"idempotencyKey": ""}
            ToolCall |    {"idempotencyKey": "caf\\u00e9"}
            ToolCall |    {"idempotencyKey": "a\\tb"}
            ResumedCall | {"grant": {"handle": "h"}}
            ResumedCall | {"handOver": {"identity": "i", "member": "m", "epoch": 1, "attempt": 1}}
            HandOver |    {"attempt": 0}
            CallIntent |  {"deadline": "soon"}
            CallIntent |  {"tool": {"bundle": "hello"}}
            CallIntent |  {"deaths": 0}
            PartitionOwner | {"maxInFlight": -1}
            PendingCall | {"call": {"id": "a"}}
            StepStarted | {"type": "ended"}
            """, delimiter = '|', quoteCharacter = '\u0001')
    void aSchemaRefusesWhatTheRecordIsNot(String record, String change) {
        Class<?> type = records().filter(known -> known.getSimpleName().equals(record)).findFirst().orElseThrow();
        ObjectNode json = WireRecords.golden(type, "minimal").object();
        json.setAll((ObjectNode) Json.MAPPER.readTree(change));

        assertThat(problems(record, json)).isNotEmpty();
    }

    private static List<Error> problems(String record, JsonNode json) {
        return SCHEMAS.getSchema(SchemaLocation.of("classpath:dev/toolfleet/schemas/" + record + ".schema.json"))
                .validate(json, context -> context
                        .executionConfig(config -> config.formatAssertionsEnabled(true)));
    }

    private static JsonNode properties(Class<?> record) {
        return WireRecords.schema(record.getSimpleName()).path("properties");
    }

    private static String typeIn(JsonNode property) {
        String ref = property.path("$ref").asString("");
        return ref.isEmpty() ? property.path("type").asString("any") : ref.replace(".schema.json", "");
    }

    private static String typeOf(Class<?> type) {
        if (type == JsonNode.class)
            return "any";
        if (type == ObjectNode.class || type == Map.class)
            return "object";
        if (type == List.class)
            return "array";
        if (type == boolean.class || type == Boolean.class)
            return "boolean";
        if (type == Double.class)
            return "number";
        if (Set.of(int.class, long.class, Integer.class, Long.class).contains(type))
            return "integer";
        if (type.isEnum() || Set.of(String.class, Instant.class, Duration.class).contains(type))
            return "string";
        return type.getSimpleName();
    }

    private static Set<String> names(Class<?> enumType) {
        Set<String> names = new TreeSet<>();
        Arrays.stream(enumType.getFields()).filter(Field::isEnumConstant)
                .filter(constant -> !constant.isAnnotationPresent(JsonEnumDefaultValue.class))
                .forEach(constant -> names.add(constant.getAnnotation(JsonProperty.class).value()));
        return names;
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new TreeSet<>();
        array.forEach(item -> texts.add(item.stringValue()));
        return texts;
    }
}
