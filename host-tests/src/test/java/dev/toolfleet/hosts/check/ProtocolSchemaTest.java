package dev.toolfleet.hosts.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The schema fits the conversation in the document, and refuses messages that are none.
class ProtocolSchemaTest {
    private static final Path DOCUMENT = Path.of("../docs/host-protocol.md");

    @Test
    void theConversationOfTheDocumentFits() throws IOException {
        String text = Files.readString(DOCUMENT);
        List<String> lines = text.lines().filter(line -> line.startsWith("→ ") || line.startsWith("← ")).toList();

        assertThat(lines).hasSizeGreaterThan(15);
        assertThat(Conversation.faults(lines)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "1", "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"output\":1}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no name\"}}",
            "{\"id\":1,\"result\":{\"output\":1}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"progress\",\"params\":{\"id\":1,\"percent\":101}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":{\"level\":\"loud\",\"message\":\"x\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"method\":\"service\",\"params\":{\"id\":1,\"name\":\"runtime.stop\",\"params\":{}}}"})
    void whatIsNoMessageOfAHostDoesNotFit(String line) {
        assertThat(ProtocolSchema.faults("fromHost", Json.MAPPER.readTree(line))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"output\":1,\"pending\":{\"handle\":\"h\"}}", "{\"pending\":{\"handle\":\"\"}}", "{}"})
    void anInvokeHasEitherAnOutputOrAHandle(String result) {
        assertThat(ProtocolSchema.faults("invokeResult",
                Json.MAPPER.readTree("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}"))).isNotEmpty();
    }

    /// Lines of both sides, each checked against the definition of its own message.
    static final class Conversation {
        private final Map<String, String> requests = new HashMap<>();
        private final List<String> faults = new ArrayList<>();

        private Conversation() {}

        /// Returns the lines that do not fit. A line begins with the arrow of its side: `→` worker, `←` host.
        static List<String> faults(List<String> lines) {
            Conversation conversation = new Conversation();
            lines.forEach(conversation::take);
            return conversation.faults;
        }

        private void take(String line) {
            JsonNode message = Json.MAPPER.readTree(line.substring(2));
            String definition = definition(message, line.startsWith("→"));
            if (definition.isEmpty())
                return;
            ProtocolSchema.faults(definition, message)
                    .forEach(fault -> faults.add(definition + ": " + fault + " in " + line));
        }

        /// The name of the definition; empty for an answer to a request that the protocol does not know.
        private String definition(JsonNode message, boolean worker) {
            String method = message.path("method").stringValue("");
            if (!method.isEmpty()) {
                if (message.has("id"))
                    requests.put(message.path("id").toString(),
                            method.equals("service") ? message.path("params").path("name").stringValue("") : method);
                return method.equals("invent") ? "" : method;
            }
            if (message.has("error"))
                return worker ? "serviceError" : "hostError";
            String answered = String.valueOf(requests.get(message.path("id").toString()));
            return answered.startsWith("runtime.")
                    ? "runtime" + Character.toUpperCase(answered.charAt(8)) + answered.substring(9) + "Result"
                    : answered + "Result";
        }
    }
}
