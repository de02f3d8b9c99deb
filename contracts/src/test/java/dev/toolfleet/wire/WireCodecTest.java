package dev.toolfleet.wire;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WireCodecTest {
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            null                                   | Decision expected, but the record is null
            {"decision":"approve"}                 | Decision expected: 'handle' is missing
            {"handle":"h"}                         | Decision expected: 'decision' is missing
            {"handle":"h","decision":"perhaps"}    | perhaps
            {"handle":"h","decision":"approve"} {} | Decision expected
            {"handle":"h"                          | Decision expected
            []                                     | Decision expected
            """)
    void whatIsNotTheRecordIsRefusedSayingWhatWasExpected(String json, String message) {
        assertThatThrownBy(() -> DECISIONS.read(utf8(json))).isInstanceOf(WireFormatException.class)
                .hasMessageStartingWith("Decision expected").hasMessageContaining(message);
    }

    @Test
    void anEmptyValueIsRefused() {
        assertThatThrownBy(() -> DECISIONS.read(new byte[0])).isInstanceOf(WireFormatException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            {}
            {"grant":{"handle":"h","fingerprint":"f","rule":"r","at":"2026-11-21T20:00:00Z"},"outcome":{"handle":"h","kind":"failed"}}
            {"outcome":{"handle":"h","kind":"failed"},"handOver":{"identity":"i","member":"m","epoch":1,"attempt":1}}
            """)
    void aResumedCallHasOneOfGrantOutcomeAndHandOver(String rest) {
        String json = "{\"call\":{\"id\":\"a\",\"name\":\"n\",\"instanceKey\":\"i\"},\"callOffset\":0"
                + (rest.length() > 2 ? "," : "") + rest.substring(1);

        assertThatThrownBy(() -> WireCodec.of(ResumedCall.class).read(utf8(json)))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("ResumedCall expected: a resumed call has one of grant, outcome and handOver");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            full    | result  | 'error' goes with an error result only
            pending | result  | a pending result and 'pending' come together
            pending | pending | a pending result and 'pending' come together
            """)
    void whatGoesWithAHandedOverResultFitsIt(String golden, String removed, String message) {
        ObjectNode json = WireRecords.golden(HandOver.class, golden).object();
        json.remove(removed);

        assertThatThrownBy(() -> WireRecords.read(HandOver.class, json)).isInstanceOf(WireFormatException.class)
                .hasMessage("HandOver expected: " + message);
    }

    @Test
    void onlyAPendingResultIsNotFinal() {
        ToolResult pending = (ToolResult) WireRecords.read(ToolResult.class,
                WireRecords.golden(ToolResult.class, "pending").json());
        ToolResult failed = (ToolResult) WireRecords.read(ToolResult.class,
                WireRecords.golden(ToolResult.class, "full").json());

        assertThat(pending.isFinal()).isFalse();
        assertThat(failed.isFinal()).isTrue();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
