package dev.toolfleet.worker.tools.telegram;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Ids and words as models write them.
class WordsTest {
    @ParameterizedTest
    @CsvSource({"Markdown,Markdown", "MARKDOWN v2,MarkdownV2", "markdown-V2,MarkdownV2", "markdown_v2,MarkdownV2",
            "html,HTML"})
    void parseModesHaveManySpellings(String given, String meant) {
        assertThat(Wording.parseMode(given)).isEqualTo(meant);
    }

    @Test
    void unknownWordsAreRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Wording.parseMode("rtf")).isInstanceOf(ToolException.class)
                .hasMessage("Unsupported parseMode 'rtf'. Use one of: Markdown, MarkdownV2, HTML.");
        assertThatThrownBy(() -> Wording.action("upload_photo")).isInstanceOf(ToolException.class)
                .hasMessageStartingWith("Unsupported chat action 'upload_photo'. Use one of: typing, upload-photo,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "'7'", "'007'"})
    void messagesAreNumbersOrDigits(String id) {
        assertThat(ids("{'messageId': " + id + "}").message("messageId")).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "'x'", "''", "true", "null", "2147483648", "'99999999999999999999'"})
    void otherMessagesAreRefused(String id) {
        assertThatThrownBy(() -> ids("{'messageId': " + id + "}").message("messageId"))
                .isInstanceOf(ToolException.class).hasMessage("'messageId' must be a positive integer");
    }

    @Test
    void chatsAreTextsOrWholeNumbers() {
        assertThat(ids("{'chatId': -1001234567890}").chat()).isEqualTo("-1001234567890");
        assertThat(ids("{'chatId': ' @c '}").chat()).isEqualTo("@c");
        for (String wrong : new String[]{"1.5", "' '", "true", "null", "{}"})
            assertThatThrownBy(() -> ids("{'chatId': " + wrong + "}").chat()).isInstanceOf(ToolException.class)
                    .hasMessage("'chatId' must be a non-empty string or integer");
    }

    private static Ids ids(String json) {
        return new Ids(new Arguments((ObjectNode) Json.MAPPER.readTree(json.replace('\'', '"'))));
    }
}
