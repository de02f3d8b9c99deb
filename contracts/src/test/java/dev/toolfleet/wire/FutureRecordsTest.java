package dev.toolfleet.wire;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Records that a later version wrote: a value of each enumerated field, and an alternative of each sealed type, that
/// this version does not know.
class FutureRecordsTest {
    /// Alternatives that are distinguished by their fields, not by a Java type.
    private static final Set<String> BY_FIELDS = Set.of("ResumedCall");
    /// Orders of people or operators, and fields that decide whether a call runs: rejected, never guessed.
    private static final Set<String> REFUSED = Set.of("Decision.decision", "LaneOrder.order", "MessageEvent.type",
            "StepEvent",
            "JournalEntry",
            "ResumedCall");

    static Stream<RecordComponent> enumerated() {
        return WireRecords.all().stream().flatMap(record -> Arrays.stream(record.getRecordComponents()))
                .filter(component -> component.getType().isEnum());
    }

    private static Stream<Class<?>> sealedTypes() {
        return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.toolfleet.wire").stream().<Class<?>>map(JavaClass::reflect)
                .filter(Class::isSealed)
                .filter(type -> WireRecords.all().stream().anyMatch(type::isAssignableFrom));
    }

    private static String name(RecordComponent component) {
        return component.getDeclaringRecord().getSimpleName() + "." + component.getName();
    }

    // A new enumeration or sealed type fails here until it has a record from the future.
    @Test
    void everyEnumeratedFieldAndSealedTypeHasARecordFromTheFuture() {
        Set<String> needed = new TreeSet<>(BY_FIELDS);
        enumerated().forEach(component -> needed.add(name(component)));
        sealedTypes().forEach(type -> needed.add(type.getSimpleName()));

        assertThat(WireRecords.files("/golden-future").stream().map(FutureRecordsTest::nameOf)).containsAll(needed)
                .containsExactlyInAnyOrderElementsOf(needed);
    }

    @ParameterizedTest
    @MethodSource("enumerated")
    void anUnknownValueIsReadAsUnknownOrRefusedAndCounted(RecordComponent component) throws Exception {
        byte[] future = future(name(component));
        long before = UnknownKinds.met();
        WireCodec<?> codec = WireCodec.of(component.getDeclaringRecord());

        if (REFUSED.contains(name(component))) {
            assertThatThrownBy(() -> codec.read(future)).isInstanceOf(WireFormatException.class);
        } else {
            assertThat(component.getAccessor().invoke(codec.read(future))).isEqualTo(unknown(component.getType()));
        }
        assertThat(UnknownKinds.met()).isGreaterThan(before);
    }

    @ParameterizedTest
    @MethodSource("enumerated")
    void whatIsWrittenAgainIsReadExactly(RecordComponent component) throws Exception {
        byte[] future = future(name(component));

        assertThatThrownBy(() -> WireCodec.exact(component.getDeclaringRecord()).read(future))
                .isInstanceOf(WireFormatException.class);
    }

    @Test
    void aStepOfAnUnknownTypeIsRefusedAndCounted() {
        long before = UnknownKinds.met();

        assertThatThrownBy(() -> WireCodec.of(StepEvent.class).read(future("StepEvent")))
                .isInstanceOf(WireFormatException.class).hasMessageContaining("paused");
        assertThat(UnknownKinds.met()).isGreaterThan(before);
    }

    // It has the handle of an OpenHandle, and is none.
    @Test
    void aJournalEntryOfAnUnknownKindIsNotTakenForAnother() {
        long before = UnknownKinds.met();

        assertThatThrownBy(() -> JournalEntry.read(future("JournalEntry"))).isInstanceOf(WireFormatException.class)
                .hasMessageContaining("kind");
        assertThat(UnknownKinds.met()).isGreaterThan(before);
    }

    @Test
    void aResumedCallWithAnUnknownAlternativeIsRefused() {
        assertThatThrownBy(() -> WireCodec.of(ResumedCall.class).read(future("ResumedCall")))
                .isInstanceOf(WireFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'order': 0}", "{'order': 1}"})
    void aNumberIsNoConstant(String change) {
        JsonNode order = Json.MAPPER.readTree(change.replace('\'', '"'));
        byte[] json = Json.MAPPER.writeValueAsBytes(
                WireRecords.golden(LaneOrder.class, "minimal").object().set("order", order.path("order")));

        assertThatThrownBy(() -> WireCodec.of(LaneOrder.class).read(json)).isInstanceOf(WireFormatException.class);
    }

    @Test
    void aResultOfAnUnknownStatusIsNotFinal() {
        assertThat(WireCodec.of(ToolResult.class).read(future("ToolResult.status")).isFinal()).isFalse();
    }

    @Test
    void aHandedOverResultOfAnUnknownStatusIsRefused() {
        JsonNode handOver = WireRecords.golden(HandOver.class, "minimal").object()
                .set("result", Json.MAPPER.readTree(future("ToolResult.status")));

        assertThatThrownBy(() -> WireCodec.of(HandOver.class).read(Json.MAPPER.writeValueAsBytes(handOver)))
                .isInstanceOf(WireFormatException.class).hasMessageContaining("result.status");
    }

    @Test
    void aCompletionOfAnUnknownKindIsMalformedAndNamesIt() {
        assertThat(CompletionDecoder.decode(future("Completion.kind")))
                .isInstanceOfSatisfying(DecodedCompletion.Malformed.class,
                        malformed -> assertThat(malformed.reason()).contains("forwarded"));
    }

    @Test
    void eachEnumerationHasOneWordForUnknownOrRefuses() {
        assertThat(enumerated()).allSatisfy(component -> {
            List<Field> defaults = Arrays.stream(component.getType().getFields())
                    .filter(field -> field.isAnnotationPresent(JsonEnumDefaultValue.class)).toList();
            assertThat(defaults).as(name(component)).hasSize(REFUSED.contains(name(component)) ? 0 : 1);
        });
    }

    private static Object unknown(Class<?> type) {
        return Arrays.stream(requireNonNull(type.getEnumConstants()))
                .filter(constant -> constant.toString().equals("UNKNOWN")).findFirst().orElseThrow();
    }

    private static byte[] future(String name) {
        return WireRecords.files("/golden-future").stream().filter(file -> nameOf(file).equals(name)).findFirst()
                .map(file -> Json.MAPPER.writeValueAsBytes(WireRecords.json(file))).orElseThrow();
    }

    private static String nameOf(Path file) {
        return requireNonNull(file.getFileName()).toString().replace(".json", "");
    }
}
