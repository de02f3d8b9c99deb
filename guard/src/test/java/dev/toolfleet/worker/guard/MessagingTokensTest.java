package dev.toolfleet.worker.guard;

import java.util.Map;

import dev.toolfleet.resources.ResourceTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The guard takes the tokens of the tools `slack` and `telegram` out of the results of every tool.
class MessagingTokensTest {
    private static final String TOKEN = "xoxb-12345-secret";

    @ParameterizedTest
    @ValueSource(strings = {"SLACK_BOT_TOKEN", "SLACK_TOKEN", "BRAIN_SLACK_BOT_TOKEN", "TELEGRAM_BOT_TOKEN",
            "BOT_TOKEN", "TELEGRAM_TOKEN", "BRAIN_TELEGRAM_BOT_TOKEN"})
    void theUsualVariablesAreKnownByTheirNames(String variable) {
        FleetSecrets secrets = new FleetSecrets(Map.of(), Map.of(variable, TOKEN));
        assertThat(secrets.values(new ResourceTable().view())).containsExactly(TOKEN);
    }

    @Test
    void aVariableThatAToolsConfigNamesIsKnownWhateverItsName() {
        ObjectNode slack = GuardBundles.tool("slack", "send");
        ((ObjectNode) slack.path("spec")).putObject("config").putObject("token").putObject("valueFrom").put("env",
                "SUPPORT");
        ResourceTable table = new ResourceTable();
        new GuardBundles().plan("acme", slack).forEach(entry -> table.apply(entry.key(), entry.value()));

        FleetSecrets secrets = new FleetSecrets(Map.of(), Map.of("SUPPORT", TOKEN, "OTHER", "not-a-secret"));
        assertThat(secrets.values(table.view())).containsExactly(TOKEN);
    }
}
