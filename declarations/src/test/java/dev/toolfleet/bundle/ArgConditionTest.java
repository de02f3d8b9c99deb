package dev.toolfleet.bundle;

import java.util.List;

import dev.toolfleet.bundle.ArgCondition.Outcome;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ArgConditionTest {
    @ParameterizedTest
    @CsvSource(delimiter = '§', quoteCharacter = '`', value = {
            "{\"path\": \"/a\", \"equals\": \"x\"} § {\"a\": \"x\"} § MET",
            "{\"path\": \"/a\", \"equals\": \"x\"} § {\"a\": \"X\"} § NOT_MET",
            "{\"path\": \"/a\", \"equals\": 5} § {\"a\": 5.0} § MET",
            "{\"path\": \"/a\", \"equals\": 5} § {\"a\": 5e0} § MET",
            "{\"path\": \"/a\", \"equals\": 5} § {\"a\": \"5\"} § UNDECIDED",
            "{\"path\": \"/a\", \"equals\": 0.1} § {\"a\": 0.10} § MET",
            "{\"path\": \"/a\", \"equals\": 9007199254740993} § {\"a\": 9007199254740992} § NOT_MET",
            "{\"path\": \"/a\", \"equals\": true} § {\"a\": false} § NOT_MET",
            "{\"path\": \"/a\", \"equals\": true} § {\"a\": \"true\"} § UNDECIDED",
            "{\"path\": \"/a\", \"equals\": \"x\"} § {\"a\": null} § UNDECIDED",
            "{\"path\": \"/a\", \"equals\": \"x\"} § {\"a\": [\"x\"]} § UNDECIDED",
            "{\"path\": \"/a\", \"equals\": \"x\"} § {} § UNDECIDED",
            "{\"path\": \"/a\", \"in\": [\"x\", 5]} § {\"a\": 5} § MET",
            "{\"path\": \"/a\", \"in\": [\"x\", 5]} § {\"a\": \"y\"} § NOT_MET",
            "{\"path\": \"/a\", \"in\": [\"x\", 5]} § {\"a\": false} § UNDECIDED",
            "{\"path\": \"/a\", \"glob\": \"/srv/*.txt\"} § {\"a\": \"/srv/a/b.txt\"} § MET",
            "{\"path\": \"/a\", \"glob\": \"/srv/*.txt\"} § {\"a\": \"/srv/\\n.txt\"} § MET",
            "{\"path\": \"/a\", \"glob\": \"/srv/*\"} § {\"a\": \"/SRV/a\"} § NOT_MET",
            "{\"path\": \"/a\", \"glob\": \"*\"} § {\"a\": 5} § UNDECIDED",
            "{\"path\": \"/a\", \"matches\": \"git (status|log)\"} § {\"a\": \"git log\"} § MET",
            "{\"path\": \"/a\", \"matches\": \"git (status|log)\"} § {\"a\": \"git log; rm -rf /\"} § NOT_MET",
            "{\"path\": \"/a\", \"matches\": \"git log\"} § {\"a\": \"git log\\n\"} § NOT_MET",
            "{\"path\": \"/a\", \"matches\": \".*rm.*\"} § {\"a\": \"echo\\nrm x\"} § MET",
            "{\"path\": \"/a\", \"matches\": \".*\"} § {\"a\": {}} § UNDECIDED",
            "{\"path\": \"/a\", \"lessThan\": 5} § {\"a\": 4.999} § MET",
            "{\"path\": \"/a\", \"lessThan\": 5} § {\"a\": 5} § NOT_MET",
            "{\"path\": \"/a\", \"greaterThan\": 5} § {\"a\": 5} § NOT_MET",
            "{\"path\": \"/a\", \"greaterThan\": 5} § {\"a\": 1e400} § UNDECIDED",
            "{\"path\": \"/a\", \"greaterThan\": 5} § {\"a\": \"6\"} § UNDECIDED",
            "{\"path\": \"/a\", \"exists\": true} § {\"a\": null} § MET",
            "{\"path\": \"/a\", \"exists\": true} § {\"A\": 1} § NOT_MET",
            "{\"path\": \"/a\", \"exists\": false} § {} § MET",
            "{\"path\": \"/to/0/account\", \"equals\": \"x\"} § {\"to\": [{\"account\": \"x\"}]} § MET",
            "{\"path\": \"/to/1\", \"exists\": false} § {\"to\": [1, 2]} § NOT_MET",
            "{\"path\": \"/to/-\", \"exists\": false} § {\"to\": [1, 2]} § MET",
            "{\"path\": \"/to/01\", \"exists\": false} § {\"to\": [1, 2]} § MET",
            "{\"path\": \"/a~1b/m~0n\", \"equals\": 1} § {\"a/b\": {\"m~n\": 1}} § MET",
            "{\"path\": \"/a/b\", \"equals\": 1} § [] § UNDECIDED"})
    void aConditionIsMetNotMetOrUndecided(String condition, String arguments, Outcome outcome) {
        assertThat(read(condition).check(Json.MAPPER.readTree(arguments))).isEqualTo(outcome);
    }

    @Test
    void aTextThatIsTooLongForAPatternIsUndecided() {
        String longest = "a".repeat(ArgCondition.LONGEST_TEXT);

        for (String test : List.of("\"glob\": \"*\"", "\"matches\": \"a*\"")) {
            ArgCondition condition = read("{\"path\": \"/a\", " + test + "}");
            assertThat(condition.check(text(longest))).isEqualTo(Outcome.MET);
            assertThat(condition.check(text(longest + "a"))).isEqualTo(Outcome.UNDECIDED);
        }
    }

    @Test
    void whatAMiddlewareMadeIsUndecidedWhenItIsNoNumber() {
        JsonNode nan = Json.MAPPER.createObjectNode().put("a", Double.NaN);

        assertThat(read("{\"path\": \"/a\", \"lessThan\": 5}").check(nan)).isEqualTo(Outcome.UNDECIDED);
        assertThat(read("{\"path\": \"/a\", \"equals\": 5}").check(nan)).isEqualTo(Outcome.UNDECIDED);
    }

    @Test
    void whyQuotesNoArgument() {
        JsonNode arguments = text("tok-123");

        assertThat(read("{\"path\": \"/a\", \"lessThan\": 5}").why(arguments))
                .isEqualTo("undecided: the value is no number");
        assertThat(read("{\"path\": \"/b\", \"lessThan\": 5}").why(arguments)).isEqualTo("undecided: nothing is at /b");
        assertThat(read("{\"path\": \"/a\", \"equals\": \"x\"}").why(arguments)).isEqualTo("not met");
    }

    @Test
    void theOrderOfValuesMakesNoOtherCondition() {
        assertThat(read("{\"path\": \"/a\", \"in\": [\"x\", 5]}"))
                .isEqualTo(read("{\"in\": [5, \"x\", 5], \"path\": \"/a\"}"));
        assertThat(read("{\"path\": \"/a\", \"in\": [\"x\", 5]}"))
                .isNotEqualTo(read("{\"path\": \"/a\", \"in\": [5]}"));
    }

    private static JsonNode text(String text) {
        return JsonNodeFactory.instance.objectNode().put("a", text);
    }

    private static ArgCondition read(String json) {
        return ((ParsedCondition.Usable) ParsedCondition.of(Json.MAPPER.readTree(json))).condition();
    }
}
