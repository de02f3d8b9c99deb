package dev.toolfleet.mcp.rpc;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RpcCodecTest {
    private final RpcCodec codec = new RpcCodec(new RpcLimits(1_024, 10));

    private RpcMessage read(String text) throws UnreadableMessage {
        return codec.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"line\\nbreak\"}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"a\":1}}", "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":[1]}}",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"no\"}}"})
    void aMessageIsWrittenAsItWasRead(String text) throws UnreadableMessage {
        assertThat(new String(codec.write(read(text)), StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"nope | -32700", "{\"jsonrpc\":\"2.0\",\"id\":1 | -32700",
            "{\"jsonrpc\":\"2.0\",\"method\":\"m\"} {} | -32700", "[] | -32600", "1 | -32600",
            "{\"id\":1,\"method\":\"m\"} | -32600", "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"} | -32600",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5} | -32600", "{\"jsonrpc\":\"2.0\",\"id\":1} | -32600",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[]} | -32600",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":3} | -32600",
            "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"method\":\"n\"} | -32700",
            "[[[[[[[[[[[[1]]]]]]]]]]]] | -32600"})
    void bytesThatAreNoMessageHaveAnError(String text, int code) {
        assertThatThrownBy(() -> read(text)).isInstanceOfSatisfying(UnreadableMessage.class,
                e -> assertThat(e.error().code()).isEqualTo(code));
    }

    @Test
    void aMessageAboveTheLimitIsRefused() {
        assertThatThrownBy(() -> codec.read(new byte[1_025])).isInstanceOf(UnreadableMessage.class)
                .hasMessage("The message has 1025 bytes; at most 1024 are accepted.");
    }
}
