package dev.toolfleet.worker.tools.messaging;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MessagingAccountTest {
    private static final Provider ACME = new Provider("acme", "Acme", List.of("ACME_TOKEN", "OLD_ACME_TOKEN"),
            "ACME_BASE", "https://acme.example/api", "room", "Look first.", false);
    private static final Map<String, String> ENV = Map.of("OLD_ACME_TOKEN", " usual-token\n", "TEAM_TOKEN",
            "team-token", "ACME_TOKEN", "");

    @Test
    void theFirstVariableThatIsSetCountsAndTheUsualPlace() {
        MessagingAccount access = access("{}", "{}");
        assertThat(access.token().value()).isEqualTo("usual-token");
        assertThat(access.base().url()).isEqualTo("https://acme.example:443/api");
        assertThat(access.toString()).doesNotContain("usual-token");
    }

    @Test
    void theConfigurationNamesAVariableAndNeverFallsBackToAnother() {
        assertThat(access("{'token': {'valueFrom': {'env': 'TEAM_TOKEN'}}}", "{}").token().value())
                .isEqualTo("team-token");
        assertThatThrownBy(() -> access("{'token': {'valueFrom': {'env': 'UNSET'}}}", "{}"))
                .isInstanceOf(ToolException.class)
                .hasMessage("Acme bot token not found. Set UNSET in the worker's environment.");
    }

    @Test
    void aCallBringsATokenOnlyWhereThatIsAllowed() {
        assertThatThrownBy(() -> access("{}", "{'token': 'mine'}")).isInstanceOf(ToolException.class)
                .hasMessage("'token' is not accepted by this tool");
        assertThat(access("{'allowTokenArgument': true}", "{'token': 'mine'}").token().value()).isEqualTo("mine");
    }

    @Test
    void aCallChoosesAmongPlacesThatTheOperatorNamed() {
        String config = "{'apiBaseUrl': 'https://a.example', 'allowApiBaseUrls': ['https://b.example/api/']}";
        assertThat(access(config, "{}").base().url()).isEqualTo("https://a.example:443");
        assertThat(access(config, "{'apiBaseUrl': 'https://B.example:443/api'}").base().host()).isEqualTo("b.example");
        for (String other : List.of("https://b.example", "http://b.example/api", "https://evil.example/api", "x"))
            assertThatThrownBy(() -> access(config, "{'apiBaseUrl': '" + other + "'}")).as(other)
                    .isInstanceOf(ToolException.class).hasMessage("'apiBaseUrl' is not one that this tool may use");
        assertThatThrownBy(() -> access("{'allowTokenArgument': true}", "{'apiBaseUrl': 'https://a.example'}"))
                .isInstanceOf(ToolException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'token': 'literal-secret'}", "{'token': {'valueFrom': {'env': ''}}}",
            "{'token': {'value': 'literal-secret'}}", "{'apiBaseUrl': 7}", "{'apiBaseUrl': 'ftp://a'}",
            "{'apiBaseUrl': 'https://u:literal-secret@a'}", "{'apiBaseUrl': 'https://a/?b'}",
            "{'allowApiBaseUrls': ['a']}", "{'maxInlineBytes': 0}", "{'tokens': {}}", "{'allowRooms': 'a'}",
            "{'allowRooms': ['']}",
            "{'allowRooms': [1.5]}", "{'allowRooms': null}"})
    void aBadSettingIsRefusedAndNamedAndNoSecretShown(String config) {
        assertThatThrownBy(() -> access(config, "{}")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Tool/acme spec.config.").hasMessageNotContaining("literal-secret");
    }

    @Test
    void aTokenHidesItselfInTexts() {
        Token token = Token.of("1:a/b");
        assertThat(token.hide("x1:a/bx and bot1%3Aa%2Fb")).isEqualTo("x[REDACTED]x and bot[REDACTED]");
        assertThat(token).hasToString("[REDACTED]");
    }

    private static MessagingAccount access(String config, String args) {
        return MessagingAccount.of(ACME, MessagingConfig.of(ACME, object(config)), ENV, new Arguments(object(args)));
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json.replace('\'', '"'));
    }
}
