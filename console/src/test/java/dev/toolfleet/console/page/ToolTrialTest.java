package dev.toolfleet.console.page;

import dev.toolfleet.console.web.Form;
import dev.toolfleet.json.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolTrialTest {
    private static final ObjectNode SCHEMA = (ObjectNode) Json.MAPPER.readTree("""
            {"type": "object", "required": ["path"], "properties": {
              "path": {"type": "string"}, "lines": {"type": "integer"}, "notify": {"type": "boolean", "default": true},
              "mode": {"type": "string", "enum": ["r", "w"]}, "tags": {"type": "array"}}}""");

    private static String arguments(String body) {
        return ToolTrial.arguments(Form.parse(body), SCHEMA).toString();
    }

    @Test
    void eachFieldBecomesAValueOfItsType() {
        assertThat(arguments("arg.path=a%20b&arg.lines=3&arg.notify=false&arg.mode=w&arg.tags=%5B1%2C%22x%22%5D"))
                .isEqualTo("{\"path\":\"a b\",\"lines\":3,\"notify\":false,\"mode\":\"w\",\"tags\":[1,\"x\"]}");
    }

    @Test
    void emptyFieldsAreLeftOutUnlessATextIsRequired() {
        assertThat(arguments("arg.path=&arg.lines=&arg.notify=&arg.mode=&arg.tags=")).isEqualTo("{\"path\":\"\"}");
    }

    @Test
    void aValueThatCannotBeReadNamesItsField() {
        assertThatThrownBy(() -> arguments("arg.path=a&arg.tags=%5B1"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("'tags' is no JSON",
                        "Nothing was called");
    }

    @Test
    void otherFieldsOfTheFormAreNoArguments() {
        assertThat(arguments("csrf=x&path=evil&arg.path=a&arg.other=1")).isEqualTo("{\"path\":\"a\"}");
    }
}
