package dev.toolfleet.cli.letter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LetterTest {
    private static final Instant AT = Instant.parse("2026-11-21T20:00:00Z");
    private static final String CALL = "{\"id\":\"c\",\"name\":\"t__x\",\"instanceKey\":\"i\",\"turnId\":\"t\",\"stepId\":\"s\"}";

    static ConsumerRecord<byte[], byte[]> record(@Nullable String reason, @Nullable String origin,
            byte @Nullable [] value) {
        Headers headers = KafkaHeaders.of(Map.of("ce_id", "1\u001b[2J"));
        if (reason != null)
            headers.add(WireHeaders.REASON, reason.getBytes(StandardCharsets.UTF_8));
        if (origin != null)
            headers.add(WireHeaders.ORIGIN, origin.getBytes(StandardCharsets.UTF_8));
        return new ConsumerRecord<>("acme.tool.dead-letter", 3, 17, AT.toEpochMilli(), TimestampType.CREATE_TIME, 0, 0,
                "i".getBytes(StandardCharsets.UTF_8), value, headers, Optional.empty());
    }

    private static Judgement judged(String reason, @Nullable String origin, String value) {
        ConsumerRecord<byte[], byte[]> record = record(reason, origin, value.getBytes(StandardCharsets.UTF_8));
        return LetterJudge.settled(new LetterJudge(new Topics("acme.")).of(Letter.of(record), record), Set.of("open"));
    }

    private static void refused(boolean insisting, String why, Judgement judgement) {
        assertThat(judgement).isInstanceOfSatisfying(Judgement.Refused.class, refused -> {
            assertThat(refused.why()).contains(why);
            assertThat(refused.insisting()).isEqualTo(insisting);
        });
    }

    @Test
    void anAddressIsReadAndWritten() {
        assertThat(LetterAddress.of(" 3:17 ")).hasToString("3:17").isGreaterThan(new LetterAddress(3, 9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "3:", ":17", "-1:2", "3:17:1", "tool.call/3/17", "99999999999:1"})
    void whatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> LetterAddress.of(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'").hasMessageContaining("such as 3:17");
    }

    @Test
    void aReasonIsFilteredByItsWord() {
        Letter malformed = Letter.of(record("malformed: not JSON", "acme.tool.call/1/2", new byte[0]));
        Letter cut = Letter.of(record("cut to 5 of 9 bytes; malformed: not JSON", "acme.tool.call/1/2", new byte[0]));
        Letter late = Letter.of(record("late", null, null));

        assertThat(List.of(malformed.kind(), cut.kind(), late.kind())).containsExactly("malformed", "malformed",
                "late");
        assertThat(cut.isCut()).isTrue();
        assertThat(new LetterFilter("Malformed", "tool.call", null).means(malformed, "acme.")).isTrue();
        assertThat(new LetterFilter("malformed: not json", "acme.tool.call", AT).means(malformed, "acme.")).isTrue();
        assertThat(new LetterFilter("malformed: other", null, null).means(malformed, "acme.")).isFalse();
        assertThat(new LetterFilter("mal", null, null).means(malformed, "acme.")).isFalse();
        assertThat(new LetterFilter(null, "tool.step", null).means(malformed, "acme.")).isFalse();
        assertThat(new LetterFilter(null, null, AT.plusMillis(1)).means(malformed, "acme.")).isFalse();
        assertThat(new LetterFilter(null, "tool.call", null).means(late, "acme.")).isFalse();
    }

    @Test
    void whatComesFromNowhereOrIsNotWholeIsNeverReplayed() {
        refused(false, "does not say where", judged("late", null, CALL));
        refused(false, "does not say where", judged("late", "acme.tool.call/x/1", CALL));
        refused(false, "no topic of this fleet", judged("late", "tool.call/1/2", CALL));
        refused(false, "only the beginning", judged("cut to 5 of 9 bytes; malformed: x", "acme.tool.call/1/2", CALL));
        refused(false, "only the fleet writes acme.tool.pending",
                judged("malformed: x", "acme.tool.pending/1/2", CALL));
    }

    @Test
    void aCallIsReplayedOnceItCanBeRead() {
        refused(true, "'name' is missing", judged("malformed: x", "acme.tool.call/1/2", "{\"id\":\"c\"}"));
        assertThat(judged("malformed: x", "acme.tool.call/1/2", CALL)).isEqualTo(
                new Judgement.Possible("its caller may have been told E_CALL_MALFORMED"));
        assertThat(judged("malformed: x", "acme.tool.call/1/2",
                "{\"id\":\"c\",\"name\":\"t__x\",\"instanceKey\":\"i\"}")).isInstanceOfSatisfying(
                        Judgement.Possible.class,
                        possible -> assertThat(possible.note()).contains("a call of its own"));
        refused(true, "StepEvent expected", judged("malformed: x", "acme.agent.step/1/2", "{\"type\":\"other\"}"));
    }

    @Test
    void whatGoesByHandleIsReplayedOnlyWhileTheHandleIsOpen() {
        String open = "{\"handle\":\"open\",\"kind\":\"completed\"}";
        String ended = "{\"handle\":\"ended\",\"kind\":\"completed\"}";

        assertThat(judged("unknown-handle", "acme.tool.completion/1/2", open)).isEqualTo(Judgement.FINE);
        refused(true, "under handle 'ended'", judged("late", "acme.tool.completion/1/2", ended));
        refused(true, "wrong-token", judged("wrong-token", "acme.tool.completion/1/2", open));
        refused(true, "Completion expected", judged("malformed: x", "acme.tool.completion/1/2", "{\"kind\":\"?\"}"));
        refused(true, "under handle 'ended'", judged("late", "acme.tool.decision/1/2",
                "{\"handle\":\"ended\",\"decision\":\"approve\"}"));
        refused(true, "neither toolCallId", judged("malformed: x", "acme.tool.control/1/2", "{\"instanceKey\":\"i\"}"));
        assertThat(judged("wrong-instance", "acme.tool.control/1/2", "{\"instanceKey\":\"i\",\"stepId\":\"s\"}"))
                .isInstanceOf(Judgement.Possible.class);
    }

    @Test
    void whatIsShownHoldsNoSecretAndNothingThatATerminalObeys() {
        for (byte[] value : List.of(
                "{\"token\":\"s3cret\",\"a\":\"\\u001b[2J\u009b\"}".getBytes(StandardCharsets.UTF_8),
                "no json \u001b]0;x\u0007\u202e".getBytes(StandardCharsets.UTF_8), new byte[]{27, (byte) 0xff, 7})) {
            ConsumerRecord<byte[], byte[]> record = record("bad \u001b[2J", "acme.tool.call/1/2", value);
            Letter letter = Letter.of(record);
            LetterText text = new LetterText(new View(new Style(false), 120, AT));
            String shown = String.join("\n", text.card(letter, record)) + String.join("\n",
                    text.table(List.of(letter), true)) + ShownJson.line(LetterJson.of(letter, record));

            assertThat(shown).doesNotContain("\u001b", "\u0007", "\u009b", "\u202e", "s3cret").contains("\\u001b[2J",
                    "acme.tool.call/1/2");
        }
        byte[] long3 = new byte[200_000];
        Arrays.fill(long3, (byte) 'x');
        ConsumerRecord<byte[], byte[]> record = record("late", null, long3);
        assertThat(
                String.join("\n", new LetterText(new View(new Style(false), 120, AT)).card(Letter.of(record), record)))
                .hasSizeLessThan(70_000).contains("--save FILE has all of it");
    }
}
