package dev.toolfleet.wire;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.WireRecords.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Records of the past can be read, and are equal when they are read and written again. A golden file is never changed:
/// when a record grows, files are added.
class WireGoldenTest {
    private static final List<String> ALIASES = List.of("arguments", "input");

    static Stream<Golden> goldens() {
        return WireRecords.goldens();
    }

    static Stream<Class<?>> records() {
        return WireRecords.all().stream();
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void aGoldenReadsAndIsWrittenAgainAsItStood(Golden golden) {
        JsonNode written = WireRecords.write(WireRecords.read(golden.record(), golden.json()));

        assertThat(written).isEqualTo(known(golden));
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void whatWasReadTwiceIsEqual(Golden golden) {
        Object once = WireRecords.read(golden.record(), golden.json());

        assertThat(WireRecords.read(golden.record(), WireRecords.write(once))).isEqualTo(once);
    }

    @ParameterizedTest
    @MethodSource("records")
    void everyRecordHasAFullAMinimalAndAnUnknownNeighbourGolden(Class<?> record) {
        assertThat(WireRecords.goldens(record)).extracting(Golden::file).contains("full.json", "minimal.json",
                "unknown-neighbour.json");
    }

    @ParameterizedTest
    @MethodSource("records")
    void theGoldensTogetherUseEveryField(Class<?> record) {
        Set<String> used = new HashSet<>();
        WireRecords.goldens(record).forEach(golden -> used.addAll(golden.json().propertyNames()));

        assertThat(used).containsAll(WireRecords.schema(record.getSimpleName()).path("properties").propertyNames());
    }

    @Test
    void everyFormOfArgumentsIsTheSameCall() {
        List<JsonNode> args = WireRecords.goldens(ToolCall.class).stream()
                .filter(golden -> golden.file().startsWith("alias-"))
                .map(golden -> ((ToolCall) WireRecords.read(ToolCall.class, golden.json())).args()).toList();

        assertThat(args).hasSizeGreaterThanOrEqualTo(5)
                .containsOnly(Json.MAPPER.readTree("{\"command\":\"ls\",\"depth\":{\"n\":1}}"));
    }

    @Test
    void aStepEventIsToldByItsType() {
        assertThat(WireRecords.read(StepEvent.class, WireRecords.golden(StepStarted.class, "full").json()))
                .isInstanceOf(StepStarted.class);
        assertThat(WireRecords.read(StepEvent.class, WireRecords.golden(StepEnded.class, "full").json()))
                .isInstanceOf(StepEnded.class);
    }

    @Test
    void nullIsAnOutputAndNoOutputIsNone() {
        ToolResult nothing = (ToolResult) WireRecords.read(ToolResult.class,
                WireRecords.golden(ToolResult.class, "null-output").json());
        ToolResult none = (ToolResult) WireRecords.read(ToolResult.class,
                WireRecords.golden(ToolResult.class, "minimal").json());

        assertThat(nothing.output()).isEqualTo(NullNode.getInstance());
        assertThat(none.output()).isNull();
    }

    @Test
    void foldersAndRecordsCorrespond() {
        assertThat(WireRecords.files("/golden")).extracting(folder -> folder.getFileName().toString())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(Stream.of("ToolCatalogContent"),
                        WireRecords.all().stream().map(Class::getSimpleName)).sorted(Comparator.naturalOrder())
                        .toList());
    }

    /// The golden's content without fields that its schema does not know, and with the arguments by their own name.
    private static JsonNode known(Golden golden) {
        ObjectNode object = golden.object();
        if (golden.record() == ToolCall.class) {
            for (String alias : ALIASES) {
                JsonNode args = object.get(alias);
                if (args != null)
                    object.set("args", args.isString() ? Json.MAPPER.readTree(args.stringValue()) : args);
            }
        }
        return object.retain(WireRecords.schema(golden.record().getSimpleName()).path("properties").propertyNames());
    }
}
