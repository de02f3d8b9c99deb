package dev.toolfleet.cli.letter;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

import dev.toolfleet.client.letter.Letter;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Dead letters for programs. Pure.
final class LetterJson {
    private LetterJson() {}

    /// With headers and value: JSON without what sounds secret, else text, else base64.
    static ObjectNode of(Letter letter, ConsumerRecord<byte[], byte[]> record) {
        ObjectNode json = letter.json();
        ArrayNode headers = json.putArray("headers");
        for (Header header : record.headers())
            headers.addObject().put("name", header.key()).put("value",
                    header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8));
        byte[] value = record.value();
        if (value == null)
            return json;
        Optional<JsonNode> node = LetterText.json(value);
        if (node.isPresent())
            return json.set("value", node.get());
        return LetterText.text(value).map(text -> json.put("text", text))
                .orElseGet(() -> json.put("base64", Base64.getEncoder().encodeToString(value)));
    }
}
