package dev.toolfleet.worker.tools.slack;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EmojiNamesTest {
    @Test
    void onePairOfColonsGoesAndDoublesCountOnce() {
        assertThat(EmojiNames.of(args("{'emoji': ':tada:', 'emojis': ['tada', '+1', '::x::', ' +1 ']}")))
                .containsExactly("tada", "+1", ":x:");
    }

    @Test
    void noneAndBlanksInsideAreRefused() {
        assertThatThrownBy(() -> EmojiNames.of(args("{}"))).isInstanceOf(ToolException.class)
                .hasMessage("Provide 'emoji' or 'emojis' to add Slack reaction.");
        assertThatThrownBy(() -> EmojiNames.of(args("{'emoji': ':a b:'}"))).isInstanceOf(ToolException.class)
                .hasMessage("Invalid emoji name 'a b'. Emoji names must not contain whitespace.");
    }

    private static Arguments args(String json) {
        return new Arguments((ObjectNode) Json.MAPPER.readTree(json.replace('\'', '"')));
    }
}
