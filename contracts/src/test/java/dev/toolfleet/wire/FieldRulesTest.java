package dev.toolfleet.wire;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Rules by which records grow, for every field of every record. An optional field may be absent, is not written when
/// it is null, and an unknown neighbour has no effect. A missing required field is reported by name.
class FieldRulesTest {

    /// One field of one record.
    record Field(Class<?> record, String name, Class<?> type, boolean required, JsonNode schema) {
        ObjectNode minimal() {
            return WireRecords.golden(record, "minimal").object();
        }

        @Override
        public String toString() {
            return record.getSimpleName() + "." + name;
        }
    }

    static Stream<Field> optional() {
        return fields().filter(field -> !field.required());
    }

    static Stream<Field> required() {
        return fields().filter(field -> field.required() && !field.type().isPrimitive());
    }

    static Stream<Field> primitive() {
        return fields().filter(field -> field.type().isPrimitive());
    }

    static Stream<Class<?>> records() {
        return WireRecords.all().stream();
    }

    @ParameterizedTest
    @MethodSource("optional")
    void anOptionalFieldMayBeAbsent(Field field) {
        ObjectNode json = field.minimal();
        if (isChoice(field))
            return;
        json.remove(field.name());

        JsonNode written = WireRecords.write(WireRecords.read(field.record(), json));

        assertAbsent(field, written);
    }

    @ParameterizedTest
    @MethodSource("optional")
    void anOptionalFieldIsOmittedWhenNull(Field field) {
        ObjectNode json = field.minimal();
        if (isChoice(field))
            return;
        json.set(field.name(), NullNode.getInstance());

        JsonNode written = WireRecords.write(WireRecords.read(field.record(), json));

        // A field for any JSON value may be null; only calls, which come from outside, read it as absent.
        if (field.type() == JsonNode.class && field.record() != ToolCall.class)
            assertThat(written.path(field.name())).isEqualTo(NullNode.getInstance());
        else
            assertAbsent(field, written);
    }

    @ParameterizedTest
    @MethodSource("records")
    void anUnknownNeighbourIsIgnored(Class<?> record) {
        ObjectNode json = WireRecords.golden(record, "full").object();
        Object known = WireRecords.read(record, json);
        json.put("addedIn2031", "x").putObject("addedIn2032").putArray("list").add(1);

        assertThat(WireRecords.read(record, json)).isEqualTo(known);
    }

    @ParameterizedTest
    @MethodSource("required")
    void aMissingRequiredFieldIsAskedForByName(Field field) {
        ObjectNode absent = field.minimal();
        absent.remove(field.name());
        ObjectNode empty = field.minimal();
        empty.set(field.name(), NullNode.getInstance());

        for (ObjectNode json : Set.of(absent, empty)) {
            assertThatThrownBy(() -> WireRecords.read(field.record(), json)).isInstanceOf(WireFormatException.class)
                    .hasMessageContaining("'" + field.name() + "'");
        }
    }

    @ParameterizedTest
    @MethodSource("primitive")
    void aMissingNumberOrFlagReadsAsZeroOrFalse(Field field) {
        ObjectNode json = field.minimal();
        json.remove(field.name());

        JsonNode written = WireRecords.write(WireRecords.read(field.record(), json)).path(field.name());

        assertThat(written.isBoolean() ? written.booleanValue() : written.intValue() != 0).isFalse();
    }

    private static void assertAbsent(Field field, JsonNode written) {
        JsonNode filledIn = field.schema().get("default");
        if (filledIn == null)
            assertThat(written.has(field.name())).isFalse();
        else
            assertThat(written.path(field.name())).isEqualTo(filledIn);
    }

    /// True for a resumed call's grant, outcome and hand-over, and for the owner of an amount: their choice is the record's
    /// own rule, and has its own test.
    private static boolean isChoice(Field field) {
        return (field.record() == ResumedCall.class && field.minimal().has(field.name()))
                || (field.record() == SpentBudget.class && field.name().equals("instanceKey"));
    }

    private static Stream<Field> fields() {
        return WireRecords.all().stream().flatMap(record -> {
            JsonNode schema = WireRecords.schema(record.getSimpleName());
            Set<String> required = schema.path("required").valueStream().map(JsonNode::stringValue)
                    .collect(Collectors.toSet());
            return Arrays.stream(record.getRecordComponents()).map(component -> field(record, component, required,
                    schema.path("properties").path(component.getName())));
        });
    }

    private static Field field(Class<?> record, RecordComponent component, Set<String> required, JsonNode schema) {
        return new Field(record, component.getName(), component.getType(), required.contains(component.getName()),
                schema);
    }
}
