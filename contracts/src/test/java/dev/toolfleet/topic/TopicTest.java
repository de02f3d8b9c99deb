package dev.toolfleet.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.docs.Docs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The topics are as in `docs/topics.md`.
class TopicTest {
    private static final List<Docs.Row> TABLE = Docs.table("topics.md", "topic");
    private static final List<Docs.Row> SETTINGS = Docs.table("topics.md", "setting");
    private static final List<Docs.Row> HEADERS = Docs.table("topics.md", "header");
    private static final List<Docs.Row> TYPES = Docs.table("topics.md", "ce_type");

    @Test
    void theDocumentHasEveryTopicInTheCodesOrder() {
        assertThat(TABLE).extracting(row -> row.cell("topic")).containsExactlyElementsOf(
                Arrays.stream(Topic.values()).map(topic -> "`" + topic.baseName() + "`").toList());
    }

    @ParameterizedTest
    @EnumSource
    void cleanUpGroupAndSizeAreAsDocumented(Topic topic) {
        Docs.Row row = row(topic);

        assertThat(row.cell("clean-up")).isEqualTo(cleanUp(topic));
        assertThat(row.cell("group")).isEqualTo(switch (topic.group()) {
            case A -> "A";
            case FREE -> "–";
            case SINGLE -> "one partition";
        });
        assertThat(row.cell("largest record")).isEqualTo(topic.maxRecordBytes() == Topic.MAX_RECORD_BYTES
                ? "1 MB"
                : "3 MB");
        assertThat(row.cell("key")).isNotBlank();
        assertThat(row.cell("value")).isNotBlank();
        assertThat(row.cell("written by")).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource
    void everySettingOfATopicIsDocumentedWithItsValue(Topic topic) {
        topic.config().forEach((key, value) -> assertThat(SETTINGS)
                .as(key + "=" + value)
                .anyMatch(row -> row.cell("setting").equals("`" + key + "`")
                        && List.of(row.cell("value").replace("`", "").split(" / ", -1)).contains(value)));
    }

    @Test
    void nothingIsDocumentedThatNoTopicHas() {
        Set<String> used = new HashSet<>();
        for (Topic topic : Topic.values())
            topic.config().forEach((key, value) -> used.add("`" + key + "`=" + value));

        for (Docs.Row row : SETTINGS) {
            for (String value : row.cell("value").replace("`", "").split(" / ", -1))
                assertThat(used).contains(row.cell("setting") + "=" + value);
        }
    }

    @Test
    void theHeadersAreAsDocumented() {
        assertThat(HEADERS).extracting(row -> row.cell("header").replace("`", "")).contains(WireHeaders.FINGERPRINT,
                WireHeaders.CALL_OFFSET, WireHeaders.IDENTITY, WireHeaders.REASON, WireHeaders.ORIGIN,
                WireHeaders.WORKER, WireHeaders.ATTEMPT, WireHeaders.TRACEPARENT, WireHeaders.TRACESTATE,
                "ce_specversion", "ce_id", "ce_type", "ce_source", "ce_subject", "ce_time", "content-type")
                .doesNotHaveDuplicates();
    }

    @Test
    void theEventTypesAreAsDocumented() {
        assertThat(TYPES).extracting(row -> row.cell("ce_type")).containsExactlyElementsOf(
                Arrays.stream(EventType.values()).map(type -> "`" + type.text() + "`").toList());
    }

    @Test
    void onlyResultsAndRecordsThatWrapACallMayBeLarger() {
        assertThat(Arrays.stream(Topic.values())
                .filter(topic -> topic.maxRecordBytes() > Topic.MAX_RECORD_BYTES))
                .containsExactlyInAnyOrder(Topic.CALL_RESUMED, Topic.RESULT, Topic.PENDING, Topic.DEAD_LETTER);
    }

    @Test
    void timesOfWhatTheFleetReadsAndWritesAreTheBrokers() {
        assertThat(Arrays.stream(Topic.values())
                .filter(topic -> !"LogAppendTime".equals(topic.config().get("message.timestamp.type"))))
                .as("what others write").containsExactlyInAnyOrder(Topic.STEP, Topic.COMPLETION, Topic.DECISION);
        assertThat(Arrays.stream(Topic.values())
                .filter(topic -> topic.timestamps() == Topic.Timestamps.BROKERS_ALWAYS))
                .containsExactlyInAnyOrder(Topic.CALL, Topic.CALL_RESUMED, Topic.RESULT, Topic.CONTROL,
                        Topic.OPERATOR);
    }

    @Test
    void aPendingCallIsNotCompactedAwayUnread() {
        assertThat(Topic.PENDING.config()).containsEntry("min.compaction.lag.ms",
                Long.toString(Duration.ofDays(7).toMillis()));
    }

    @Test
    void thePrefixStandsBeforeEveryName() {
        assertThat(new Topics("acme.").name(Topic.CALL)).isEqualTo("acme.tool.call");
        assertThat(new Topics("").name(Topic.CATALOG_STEP)).isEqualTo("tool.catalog.step");
        assertThat(Arrays.stream(Topic.values()).map(new Topics("x-")::name)).doesNotHaveDuplicates()
                .allMatch(name -> name.length() <= 249);
        assertThat(Arrays.stream(Topic.values()).map(new Topics("p".repeat(200))::name))
                .allMatch(name -> name.length() <= 249);
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme/", "acme ", "é", "a:b", "*"})
    void anIllegalPrefixIsRefusedByName(String prefix) {
        assertThatThrownBy(() -> new Topics(prefix)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topics.prefix").hasMessageContaining("'" + prefix + "'");
    }

    @Test
    void aCloudEventsHeadersAreTheSpecsAndMutable() {
        Map<String, String> headers = WireHeaders.cloudEvent(EventType.TOOL_RESULT, "1", "/toolfleet/worker/w1",
                "call_0",
                Instant.EPOCH, null);
        headers.put(WireHeaders.CALL_OFFSET, "7");

        assertThat(headers).containsEntry("ce_specversion", "1.0").containsEntry("ce_type",
                "dev.toolfleet.tool.result.v1").containsEntry("ce_time", "1970-01-01T00:00:00Z")
                .doesNotContainKey(WireHeaders.TRACEPARENT);
    }

    private static Docs.Row row(Topic topic) {
        return TABLE.stream().filter(row -> row.cell("topic").equals("`" + topic.baseName() + "`")).findFirst()
                .orElseThrow(() -> new AssertionError(topic + " is not in docs/topics.md"));
    }

    private static String cleanUp(Topic topic) {
        if (topic.compacted())
            return "compact";
        return "delete " + Duration.ofMillis(Long.parseLong(topic.config().getOrDefault("retention.ms", "0"))).toDays()
                + " d";
    }
}
