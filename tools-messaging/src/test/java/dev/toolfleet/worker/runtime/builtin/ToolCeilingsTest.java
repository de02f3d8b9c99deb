package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.Settings;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.args.Ceiling;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolCeilingsTest {
    private static final Sandbox SANDBOX = Sandbox.prepare(SandboxConfig.OFF, Path.of("workspace"));
    private static final JsonMapper LENIENT = JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

    /// Settings that a bundle alone must not open.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "bash | {'allowOutsideWorkdir': true} | allowOutsideWorkdir is true",
            "bash | {'inheritEnv': ['PATH']} | inheritEnv is 'PATH'",
            "file-system | {'allowOutsideWorkdir': true} | allowOutsideWorkdir is true",
            "http-fetch | {'allowAddresses': ['0.0.0.0/0']} | allowAddresses is '0.0.0.0/0'",
            "http-fetch | {'allowAddresses': ['127.0.0.1']} | allowAddresses is '127.0.0.1'",
            "slack | {'token': {'valueFrom': {'env': 'AWS_SECRET_ACCESS_KEY'}}} | token is the variable 'AWS_SECRET_ACCESS_KEY'",
            "slack | {'apiBaseUrl': 'https://evil.example'} | apiBaseUrl is 'https://evil.example'",
            "slack | {'allowApiBaseUrls': ['https://evil.example']} | allowApiBaseUrls is 'https://evil.example'",
            "telegram | {'token': {'valueFrom': {'env': 'SLACK_BOT_TOKEN'}}} | token is the variable 'SLACK_BOT_TOKEN'",
            "telegram | {'apiBaseUrl': 'http://evil.example'} | apiBaseUrl is 'http://evil.example'"})
    void whereTheOperatorSaysNothingABundleOpensNoWall(String tool, String config, String says) {
        assertThatThrownBy(() -> within(tool, Map.of(), config)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Tool/mine spec.config." + says)
                .hasMessageContaining("worker.tools." + tool + ".ceiling.")
                .hasMessageContaining("have the operator raise the ceiling");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {"bash | {'maxOutputBytes': 5000000}",
            "file-system | {'maxReadBytes': 5000000, 'maxEntries': 99999, 'allowOutsideWorkdir': false}",
            "http-fetch | {'allowHosts': ['a.example'], 'allowPorts': ['25'], 'maxBytes': 9000000, 'denyHosts': ['b']}",
            "slack | {'token': {'valueFrom': {'env': 'SLACK_TEAM_TOKEN'}}, 'allowChannels': ['C1'], 'maxInlineBytes': 99999}",
            "telegram | {'token': {'valueFrom': {'env': 'BOT_TOKEN'}}, 'allowTokenArgument': true, 'allowChats': [-1]}"})
    void whereTheOperatorSaysNothingTheRestIsTheBundles(String tool, String config) {
        assertThat(within(tool, Map.of(), config)).isEqualTo(json(config));
        assertThat(within(tool, Map.of(), "{}")).isEqualTo(json("{}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "bash | maxOutputBytes | 1000 | {'maxOutputBytes': 1001}",
            "bash | inheritEnv | ACME_* | {'inheritEnv': ['ACME_A', 'AWS_A']}",
            "bash | inheritEnv | PATH | {'inheritEnv': ['path']}", "file-system | maxEntries | 5 | {'maxEntries': 6}",
            "file-system | maxReadBytes | 5 | {'maxReadBytes': 99999999999}",
            "http-fetch | allowHosts | *.acme.example | {'allowHosts': ['acme.example']}",
            "http-fetch | allowHosts | *.acme.example | {'allowHosts': ['*.example']}",
            "http-fetch | allowHosts | api.acme.example | {'allowHosts': ['*.api.acme.example']}",
            "http-fetch | allowHosts | api.acme.example:443 | {'allowHosts': ['api.acme.example']}",
            "http-fetch | authorizedHosts | api.acme.example | {'authorizedHosts': ['evil.example']}",
            "http-fetch | allowAddresses | 10.1.0.0/16 | {'allowAddresses': ['10.0.0.0/8']}",
            "http-fetch | allowAddresses | 10.1.0.0/16 | {'allowAddresses': ['10.2.0.1']}",
            "http-fetch | allowAddresses | 10.1.0.0/16 | {'allowAddresses': ['fd00::1']}",
            "http-fetch | allowAddresses | 10.1.0.0/16 | {'allowAddresses': ['nonsense']}",
            "http-fetch | allowPorts | 443,9000-9010 | {'allowPorts': ['9000-9011']}",
            "http-fetch | maxBytes | 100 | {'maxBytes': 101}",
            "slack | allowChannels | C1,C2 | {'allowChannels': ['C1', 'C3']}",
            "slack | allowTokenArgument | false | {'allowTokenArgument': true}",
            "slack | apiBaseUrl | https://slack.acme.example/api | {'apiBaseUrl': 'https://slack.acme.example/api2'}",
            "telegram | allowChats | -100123 | {'allowChats': [-100124]}",
            "telegram | maxInlineBytes | 5 | {'maxInlineBytes': 6}"})
    void whatExceedsTheCeilingIsRefusedByKeyValueAndCeiling(String tool, String key, String ceiling, String config) {
        assertThatThrownBy(() -> within(tool, Map.of(key, ceiling), config))
                .hasMessageContaining("Tool/mine spec.config." + key + " is ")
                .hasMessageContaining("worker.tools." + tool + ".ceiling." + key + " allows ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "bash | inheritEnv | ACME_*,PATH | {'inheritEnv': ['ACME_A', 'PATH']}",
            "bash | allowOutsideWorkdir | true | {'allowOutsideWorkdir': true}",
            "http-fetch | allowHosts | *.acme.example | {'allowHosts': ['API.acme.example', '*.b.acme.example']}",
            "http-fetch | allowHosts | api.acme.example | {'allowHosts': ['api.acme.example:443']}",
            "http-fetch | allowAddresses | 10.1.0.0/16,fd00::/8 | {'allowAddresses': ['10.1.2.0/24', 'fd00::1']}",
            "http-fetch | allowAddresses | * | {'allowAddresses': ['0.0.0.0/0']}",
            "http-fetch | allowPorts | 443,9000-9010 | {'allowPorts': ['9001-9003', '443']}",
            "slack | token | TEAM_* | {'token': {'valueFrom': {'env': 'TEAM_A'}}}",
            "slack | apiBaseUrl | https://slack.acme.example/api | {'apiBaseUrl': 'https://SLACK.acme.example:443/api/'}",
            "telegram | allowChats | -100123,@news | {'allowChats': [-100123, '@news']}"})
    void whatLiesWithinTheCeilingIsTaken(String tool, String key, String ceiling, String config) {
        assertThat(within(tool, Map.of(key, ceiling), config)).isEqualTo(json(config));
    }

    /// Otherwise: a bundle leaves the key out, and has a default that opens more.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "bash | maxOutputBytes | 1000 | {} | {'maxOutputBytes': 1000}",
            "http-fetch | allowHosts | *.acme.example | {} | {'allowHosts': ['*.acme.example']}",
            "http-fetch | allowHosts | *.acme.example | {'allowHosts': []} | {'allowHosts': ['*.acme.example']}",
            "http-fetch | allowPorts | 443,9000 | {} | {'allowPorts': ['443']}",
            "http-fetch | allowPorts | 443,9000 | {'allowPorts': []} | {'allowPorts': []}",
            "slack | allowChannels | C1 | {} | {'allowChannels': ['C1']}",
            "telegram | allowChats | -100123 | {} | {'allowChats': ['-100123']}"})
    void whatABundleLeavesOutIsWithinTheCeilingToo(String tool, String key, String ceiling, String config,
            String effective) {
        assertThat(within(tool, Map.of(key, ceiling), config)).isEqualTo(json(effective));
    }

    /// A key that is added to a built-in Tool needs a decision: a ceiling, or a place in this list.
    @Test
    void everySettingOfABuiltInToolHasACeilingOrOpensNothing() {
        Map<String, Set<String>> opensNothing = Map.of("http-fetch", Set.of("denyHosts", "denyAddresses"),
                "tool-search",
                Set.of("maxResults", "minQueryLength"), "slack", Set.of("asUser"));
        BuiltinModules.tools((agent, caller) -> List.of(), Restarts.NONE, SANDBOX, Path.of("workspace"), EgressList.ALL)
                .forEach((name, made) -> {
                    Ceiling ceiling = ToolCeilings.unset().byName().get(name);
                    Set<String> decided = new TreeSet<>(opensNothing.getOrDefault(name, Set.of()));
                    if (ceiling != null)
                        decided.addAll(ceiling.bounds().keySet());
                    assertThat(settings(made.get())).as(name).isEqualTo(decided);
                });
    }

    /// As the refusal of a key that is none lists them.
    private static Set<String> settings(ToolModule module) {
        try {
            module.configure(json("{'nonsense': 1}"));
            return Set.of();
        } catch (IllegalArgumentException e) {
            String known = String.valueOf(e.getMessage()).replaceFirst("(?s).*known are \\[(.*)].*", "$1");
            return new TreeSet<>(Arrays.asList(known.split(", ")));
        }
    }

    @Test
    void noSecretIsShown() {
        assertThat(within("slack", Map.of(), "{'token': 'xoxb-literal'}")).as("the tool refuses it").isNotNull();
        assertThatThrownBy(() -> within("slack", Map.of(), "{'apiBaseUrl': 'https://u:pass-word@evil.example'}"))
                .hasMessageContaining("apiBaseUrl").hasMessageNotContaining("pass-word");
    }

    @Test
    void aCeilingThatCannotBeMeantIsRefused() {
        for (Map.Entry<String, String> bad : Map.of("allowAddresses", "10.0.0.0/33", "allowPorts", "0", "allowHosts",
                "").entrySet())
            assertThatThrownBy(() -> within("http-fetch", Map.of(bad.getKey(), bad.getValue()), "{}"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("worker.tools.http-fetch.ceiling." + bad.getKey());
    }

    private static ObjectNode within(String tool, Map<String, String> ceiling, String config) {
        Settings settings = Settings.of("worker.tools", Map.of(tool, Map.of("ceiling", ceiling)));
        return Objects.requireNonNull(ToolCeilings.of(settings).byName().get(tool)).within("mine", json(config));
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) LENIENT.readTree(text);
    }
}
