package dev.toolfleet.worker.tools.args;

import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArgumentsTest {
    private final Arguments args = new Arguments((ObjectNode) Json.MAPPER.readTree("""
            {"empty": "", "blank": " ", "n": 1.9, "no": null, "list": ["a", 1], "flag": "true",
             "env": {"S": "x", "N": 1, "B": true}, "bad": {"K": []}}"""));

    @Test
    void messagesAreThoseOfGoondan() {
        assertInvalid(() -> args.requiredText("empty"), "'empty' must be a non-empty string");
        assertInvalid(() -> args.requiredText("missing"), "'missing' must be a non-empty string");
        assertInvalid(() -> args.text("n", "x"), "'n' must be a string");
        assertInvalid(() -> args.number("blank", 1), "'blank' must be a valid number");
        assertInvalid(() -> args.flag("flag", true), "'flag' must be a boolean");
        assertInvalid(() -> args.texts("blank"), "'blank' must be an array of strings");
        assertInvalid(() -> args.texts("list"), "'list' must contain only strings");
        assertInvalid(() -> args.scalars("list"), "'list' must be a JSON object");
        assertInvalid(() -> args.scalars("bad"), "bad.K must be a primitive string/number/boolean value");
    }

    @Test
    void anExplicitNullIsNotAbsent() {
        assertInvalid(() -> args.text("no", "x"), "'no' must be a string");
        assertInvalid(() -> args.number("no", 1), "'no' must be a valid number");
        assertInvalid(() -> args.scalars("no"), "'no' must be a JSON object");
    }

    @Test
    void valuesAreReadAndAbsentOnesHaveTheirDefault() {
        assertThat(args.requiredText("blank")).isEqualTo(" ");
        assertThat(args.text("empty")).isEmpty();
        assertThat(args.number("n", 7)).isEqualTo(1);
        assertThat(args.number("missing", 7)).isEqualTo(7);
        assertThat(args.flag("missing", true)).isTrue();
        assertThat(args.scalars("env")).isEqualTo(Map.of("S", "x", "N", "1", "B", "true"));
    }

    private static void assertInvalid(ThrowingCallable work, String message) {
        assertThatThrownBy(work).isInstanceOfSatisfying(ToolException.class, e -> {
            assertThat(e.code()).isEqualTo("E_TOOL_INVALID_ARGS");
            assertThat(e).hasMessage(message);
        });
    }
}
