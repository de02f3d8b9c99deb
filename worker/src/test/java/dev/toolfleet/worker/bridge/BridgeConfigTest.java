package dev.toolfleet.worker.bridge;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.json.Json;
import dev.toolfleet.worker.egress.EgressList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BridgeConfigTest {
    private final BridgeConfig reader = new BridgeConfig(Map.of("TOKEN", "s3cret", "EMPTY", "")::get,
            EgressList.of(List.of("mcp.example.com")));

    private List<ServerSettings> read(String servers) {
        return reader.servers((ObjectNode) Json.MAPPER.readTree("{\"servers\": " + servers + "}"));
    }

    @Test
    void serversAreReadInTheUsualShape() {
        List<ServerSettings> servers = read("""
                {"files": {"type": "stdio", "command": "node", "args": ["server.js", "."], "env": {"DEPTH": 3,
                           "KEY": {"valueFrom": {"env": "TOKEN"}}}, "startTimeout": "30s"},
                 "old": {"command": "old", "disabled": true},
                 "tickets": {"url": "https://mcp.example.com/mcp", "headers":
                           {"Authorization": {"prefix": "Bearer ", "valueFrom": {"env": "TOKEN"}}},
                           "tools": {"find": {"readOnly": true, "timeout": "2m"}, "drop": {"enabled": false}}}}""");

        assertThat(servers).extracting(ServerSettings::name).containsExactly("files", "tickets");
        assertThat(servers.getFirst().address()).isEqualTo(new ServerAddress.Program(List.of("node", "server.js", "."),
                Map.of("DEPTH", "3", "KEY", "s3cret"), "mcp-server-" + servers.getFirst().connection().substring(0, 12),
                Duration.ofSeconds(30)));
        assertThat(servers.getLast().address())
                .isEqualTo(new ServerAddress.Web(URI.create("https://mcp.example.com/mcp"),
                        Map.of("Authorization", "Bearer s3cret"), Duration.ofSeconds(10)));
        assertThat(servers.getLast().tools().get("find")).isEqualTo(new ServerSettings.ToolSettings(true,
                (ObjectNode) Json.MAPPER.readTree("{\"annotations\": {\"readOnly\": true}, \"timeout\": \"2m\"}")));
        assertThat(servers.toString()).as("secrets in logs").doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{'a__b': {'command': 'x'}} | config.servers.a__b cannot name a server",
            "{'s': {}} | config.servers.s.command starts a server",
            "{'s': {'command': 'x', 'url': 'https://mcp.example.com'}} | exactly one of both",
            "{'s': {'command': 'x', 'cwd': '/'}} | config.servers.s.cwd is not a setting; known are",
            "{'s': {'command': 'x', 'headers': {}}} | config.servers.s.headers does not belong",
            "{'s': {'command': 'x', 'auth': {'oauthApp': 'a'}}} | config.servers.s.auth does not belong",
            "{'s': {'url': 'http://mcp.example.com', 'auth': {'oauthApp': 'a'}}} | url must begin with https",
            "{'s': {'url': 'https://mcp.example.com', 'auth': {'app': 'a'}}} | config.servers.s.auth.app is not a setting",
            "{'s': {'url': 'https://mcp.example.com', 'auth': {'oauthApp': 'a', 'onMissing': 'x'}}} | onMissing must be",
            "{'s': {'command': 'x', 'type': 'http'}} | config.servers.s.type must be one of [stdio]",
            "{'s': {'command': 'x', 'args': 'y'}} | config.servers.s.args must be a list of texts",
            "{'s': {'command': 'x', 'env': {'A-B': 'c'}}} | config.servers.s.env.A-B is not the name of a variable",
            "{'s': {'command': 'x', 'env': {'A': {'valueFrom': {'env': 'NONE'}}}}} | names the variable NONE",
            "{'s': {'command': 'x', 'env': {'A': {'valueFrom': {'env': 'EMPTY'}}}}} | names the variable EMPTY",
            "{'s': {'command': 'x', 'env': {'A': {'secret': 1}}}} | config.servers.s.env.A must be a text, or",
            "{'s': {'command': 'x', 'startTimeout': '1h'}} | config.servers.s.startTimeout must be longer",
            "{'s': {'command': 'x', 'onChange': 'x'}} | config.servers.s.onChange must be one of",
            "{'s': {'command': 'x', 'pins': {'a': 'b'}}} | config.servers.s.pins.a must be a digest",
            "{'s': {'command': 'x', 'tools': {'a': {'readonly': true}}}} | tools.a.readonly is not a setting of a tool",
            "{'s': {'url': 'ftp://mcp.example.com'}} | config.servers.s.url cannot be used",
            "{'s': {'url': 'https://a:b@mcp.example.com'}} | config.servers.s.url must have neither a user",
            "{'s': {'url': 'https://evil.example'}} | config.servers.s.url leads where tools may not connect",
            "{'s': {'url': 'https://mcp.example.com', 'headers': {'Host': 'x'}}} | config.servers.s.url cannot be used"})
    void aSettingThatCannotBeUsedIsNamed(String servers, String message) {
        assertThatThrownBy(() -> read(servers.replace('\'', '"'))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aHeaderWithALineBreakIsRefusedWithoutItsValue() {
        assertThatThrownBy(
                () -> read("{\"s\": {\"url\": \"https://mcp.example.com\", \"headers\": {\"A\": \"b\\nc\"}}}"))
                .hasMessageContaining("config.servers.s.headers.A").hasMessageNotContaining("b\n");
    }

    /// The document shows a configuration that is read, and lists the settings.
    @Test
    void theDocumentIsTrue() throws Exception {
        String document = Files.readString(Path.of("../docs/mcp-servers.md"));
        Matcher yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(document);
        assertThat(yaml.find()).isTrue();
        LinkedHashMap<String, String> texts = new LinkedHashMap<>();
        texts.put("toolfleet.yaml", yaml.group(1).replace("TICKETS_TOKEN", "TOKEN"));
        ObjectNode extension = BundleLoader.parse(Path.of("none"), texts).bundle().find(Kinds.EXTENSION, "mcp")
                .orElseThrow().spec();

        assertThat(reader.servers((ObjectNode) extension.path("config"))).hasSize(2);
        assertThat(BridgeConfig.keys()).allSatisfy(key -> assertThat(document).contains("`" + key + "`"));
    }
}
