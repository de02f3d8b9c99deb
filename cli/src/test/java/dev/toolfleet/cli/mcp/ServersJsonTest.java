package dev.toolfleet.cli.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ServersJsonTest {
    @TempDir
    private Path folder = Path.of("");

    private ServersJson.Read read(String json, String... plain) throws IOException {
        return ServersJson.read(Files.writeString(folder.resolve("mcp.json"), json), Set.of(plain));
    }

    @Test
    void noValueOfAVariableOrHeaderLeavesUnlessItIsPlain() throws IOException {
        ServersJson.Read read = read("""
                {"mcpServers": {"my-hub": {
                  "type": "streamableHttp", "serverUrl": "https://hub.example.com/mcp",
                  "headers": {"Authorization": "Bearer s3cret", "X-Org": "acme", "X-Key": "hidden"}}}}
                """, "X-Org");

        assertThat(read.servers().get("my-hub")).isEqualTo(Json.MAPPER.readTree("""
                {"url": "https://hub.example.com/mcp", "headers": {
                  "Authorization": {"prefix": "Bearer ", "valueFrom": {"env": "MY_HUB_AUTHORIZATION"}},
                  "X-Org": "acme",
                  "X-Key": {"valueFrom": {"env": "MY_HUB_X_KEY"}}}}
                """));
        assertThat(read.servers().toString() + read.notices()).doesNotContain("s3cret", "hidden");
        assertThat(read.notices()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"${TOKEN},'',TOKEN", "${env:TOKEN},'',TOKEN", "Bearer ${TOKEN:-none},'Bearer ',TOKEN",
            "${input:api-key},'',API_KEY", "text,'',KEY"})
    void placeholdersOfClientsNameTheVariable(String value, String prefix, String variable) throws IOException {
        ServersJson.Read read = read("{\"servers\": {\"a\": {\"command\": \"x\", \"env\": {\"KEY\": \"" + value
                + "\"}}}}");

        assertThat(requireNonNull(read.servers().get("a")).path("env").path("KEY"))
                .isEqualTo(ServersJson.fromEnvironment(prefix, variable));
    }

    @Test
    void whatHasNoMeaningIsNamed() throws IOException {
        ServersJson.Read read = read(
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"disabled\": true, \"autoApprove\": [\"y\"]}}}");

        assertThat(read.servers().get("a"))
                .isEqualTo(Json.MAPPER.readTree("{\"command\": \"x\", \"disabled\": true}"));
        assertThat(read.notices()).containsExactly("a: autoApprove is left out; it has no meaning here");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {                                                     | it is no JSON
            {"a": 1}                                              | it has no servers
            {"mcpServers": {"a": {"type": "sse", "url": "u"}}}    | server 'a' has the type 'sse'
            {"mcpServers": {"a": {"env": []}}}                    | server 'a' env is no object
            {"mcpServers": {"a": 1}}                              | server 'a' is no object
            """)
    void whatCannotBeUsedIsNamed(String json, String problem) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(Failure.class).hasMessageContaining("mcp.json: " + problem);
    }
}
