package dev.toolfleet.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.docs.Docs;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/asyncapi.yaml` is an AsyncAPI 3 document and equals the code: no channel is missing, and none is superfluous.
class AsyncApiTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final SchemaRegistry SCHEMAS = SchemaRegistry
            .withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final JsonNode DOCUMENT = document();
    private static final JsonNode MESSAGES = DOCUMENT.at("/components/messages");
    /// Holds any bytes, so no schema describes it.
    private static final String DEAD_LETTER = "DeadLetter";

    static List<String> records() {
        return MESSAGES.propertyNames().stream().filter(name -> !name.equals(DEAD_LETTER)).toList();
    }

    @Test
    void itHasTheStructureThatAsyncApiDemands() {
        assertThat(problems("asyncapi-3.0.schema.json", DOCUMENT)).isEmpty();
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<String> references = DOCUMENT.findValuesAsString("$ref");

        assertThat(references).hasSizeGreaterThan(50).allSatisfy(reference -> {
            if (reference.startsWith("#"))
                assertThat(DOCUMENT.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
            else
                assertThat(DOCS.resolve(reference)).isRegularFile();
        });
        assertThat(new TreeSet<>(references)).as("nothing lies there unused").containsAll(Stream
                .concat(MESSAGES.propertyNames().stream().map(name -> "#/components/messages/" + name),
                        DOCUMENT.at("/components/messageTraits").propertyNames().stream()
                                .map(name -> "#/components/messageTraits/" + name))
                .toList());
    }

    @Test
    void everyTopicIsAChannelAndNothingElseIs() {
        assertThat(DOCUMENT.path("channels").values()).extracting(channel -> channel.path("address").stringValue())
                .containsExactlyElementsOf(Arrays.stream(Topic.values()).map(Topic::baseName).toList());
    }

    @ParameterizedTest
    @EnumSource
    void aChannelsTopicIsConfiguredAsTheCodeCreatesIt(Topic topic) {
        JsonNode channel = channel(topic);
        JsonNode kafka = channel.at("/bindings/kafka");
        JsonNode config = kafka.path("topicConfiguration");

        assertThat(kafka.path("topic").stringValue()).isEqualTo(topic.baseName());
        assertThat(kafka.path("partitions").asInt(0)).isEqualTo(topic.group() == Topic.Group.SINGLE ? 1 : 0);
        assertThat(config.path("cleanup.policy").get(0).stringValue()).isEqualTo(topic.config().get("cleanup.policy"));
        for (String key : List.of("retention.ms", "max.message.bytes", "delete.retention.ms"))
            assertThat(config.has(key) ? config.path(key).asString() : null).as(key)
                    .isEqualTo(topic.config().get(key));
        assertThat(channel.path("summary").stringValue()).isNotBlank();
    }

    @Test
    void everyEventTypeIsThatOfAMessageAndNoOtherIs() {
        Set<String> types = records().stream().map(name -> type(MESSAGES.path(name)))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(types).containsExactlyInAnyOrderElementsOf(
                Arrays.stream(EventType.values()).map(EventType::text).toList());
        for (Docs.Row row : Docs.table("topics.md", "ce_type"))
            assertThat(records()).as(row.cell("record"))
                    .filteredOn(name -> type(MESSAGES.path(name)).equals(row.cell("ce_type").replace("`", "")))
                    .anyMatch(name -> row.cell("record").contains("`" + name.replace("CatalogContent", "CatalogItem")
                            + "`"));
    }

    @Test
    void everyMessageStandsOnOneChannelUnderItsName() {
        List<String> placed = new ArrayList<>();
        DOCUMENT.path("channels").values().forEach(channel -> channel.path("messages").properties().forEach(entry -> {
            assertThat(entry.getValue().path("$ref").stringValue())
                    .isEqualTo("#/components/messages/" + entry.getKey());
            placed.add(entry.getKey());
        }));

        assertThat(placed).doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(MESSAGES.propertyNames());
    }

    @Test
    void anOperationSendsOrReceivesWhatItsChannelHas() {
        DOCUMENT.path("operations").values().forEach(operation -> {
            String channel = operation.at("/channel/$ref").stringValue();
            List<String> own = DOCUMENT.at(channel.substring(1)).path("messages").propertyNames().stream()
                    .map(name -> channel + "/messages/" + name).toList();

            assertThat(operation.path("messages").values()).extracting(message -> message.path("$ref").stringValue())
                    .containsExactlyElementsOf(own).isNotEmpty();
        });
        assertThat(DOCUMENT.path("operations").values())
                .extracting(operation -> operation.path("action").stringValue() + operation.at("/channel/$ref"))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("records")
    void aMessagesGoldenFilesFitItsSchemaAndNoSistersOnTheChannel(String record) {
        assertThat(MESSAGES.path(record).at("/payload/schema/$ref").stringValue())
                .isEqualTo("../contracts/src/main/resources/dev/toolfleet/schemas/" + record + ".schema.json");
        List<JsonNode> goldens = WireRecords.files("/golden/" + record).stream().map(WireRecords::json).toList();

        assertThat(goldens).isNotEmpty().allSatisfy(golden -> {
            assertThat(problems("dev/toolfleet/schemas/" + record + ".schema.json", golden)).isEmpty();
            for (String sister : sisters(record))
                assertThat(problems("dev/toolfleet/schemas/" + sister + ".schema.json", golden)).as(sister)
                        .isNotEmpty();
        });
    }

    @Test
    void theHeadersAreThoseOfTheDocumentOfTopics() {
        Set<String> named = new TreeSet<>();
        Stream.of(MESSAGES, DOCUMENT.at("/components/messageTraits")).flatMap(all -> all.values().stream())
                .forEach(message -> named.addAll(message.at("/headers/properties").propertyNames()));
        Map<String, String> documented = new HashMap<>();
        Docs.table("topics.md", "header")
                .forEach(row -> documented.put(row.cell("header").replace("`", ""), row.cell("on")));

        assertThat(named).containsExactlyInAnyOrderElementsOf(documented.keySet());
        for (String name : MESSAGES.propertyNames()) {
            JsonNode message = MESSAGES.path(name);
            assertThat(message.at("/headers/properties").propertyNames()).filteredOn(h -> h.startsWith("toolfleet-"))
                    .as(name).allMatch(header -> List.of(documented.getOrDefault(header, "").split(", "))
                            .contains(switch (name) {
                                case DEAD_LETTER -> "dead letters";
                                case "AuditEvent" -> "records of `tool.audit`";
                                case "ToolCall" -> "calls";
                                case "ToolProgress" -> "progress";
                                default -> "results";
                            }));
            assertThat(message.at("/bindings/kafka/key/description").stringValue()).as(name).isNotBlank();
        }
    }

    @Test
    void everyHeaderOfTheCodeIsDocumented() throws IllegalAccessException {
        Set<String> documented = Docs.table("topics.md", "header").stream()
                .map(row -> row.cell("header").replace("`", "")).collect(Collectors.toSet());
        for (Field constant : WireHeaders.class.getFields())
            assertThat(documented).as(constant.getName()).contains((String) constant.get(null));
    }

    private static List<String> sisters(String record) {
        return DOCUMENT.path("channels").values().stream().map(channel -> channel.path("messages"))
                .filter(messages -> messages.has(record)).flatMap(messages -> messages.propertyNames().stream())
                .filter(name -> !name.equals(record)).toList();
    }

    private static String type(JsonNode message) {
        return message.at("/headers/properties/ce_type/const").stringValue();
    }

    private static JsonNode channel(Topic topic) {
        return DOCUMENT.path("channels").values().stream()
                .filter(channel -> channel.path("address").stringValue().equals(topic.baseName())).findFirst()
                .orElseThrow();
    }

    private static List<Error> problems(String schema, JsonNode json) {
        return SCHEMAS.getSchema(SchemaLocation.of("classpath:" + schema)).validate(json,
                context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    }

    private static JsonNode document() {
        try {
            return Json.MAPPER.valueToTree(new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build())
                    .loadFromString(Files.readString(DOCS.resolve("asyncapi.yaml"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
