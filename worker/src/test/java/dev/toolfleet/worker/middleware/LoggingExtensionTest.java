package dev.toolfleet.worker.middleware;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.Layer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LoggingExtensionTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.toolfleet.calls");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void aCallThatEndsMakesOneLineWithoutArgumentsOrResult() {
        Layer layer = register("{\"level\": \"debug\", \"priority\": 7}").getFirst();
        assertThat(layer.priority()).isEqualTo(7);

        Onion.run(List.of(layer), call(), () -> new ToolReply.Ok(StringNode.valueOf("secret result")), () -> false);

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.DEBUG);
            assertThat(line.getKeyValuePairs().toString()).contains("t__x", "c1", "ok").doesNotContain("secret");
        });
    }

    @Test
    void aFailureIsLoggedWithItsCode() {
        Onion.run(register("{}"), call(),
                () -> new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "secret message")), () -> false);

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.INFO);
            assertThat(line.getKeyValuePairs().toString()).contains("E_TOOL_TIMEOUT", "error").doesNotContain("secret");
        });
    }

    @Test
    void anUnknownLevelIsRefusedByItsName() {
        assertThatThrownBy(() -> register("{\"level\": \"loud\"}")).hasMessageContaining("loud")
                .hasMessageContaining("config.level");
    }

    private static OnionCall call() {
        return new OnionCall(
                ToolCall.of("c1", "t__x", JsonNodeFactory.instance.objectNode().put("password", "secret"), "i"));
    }

    private static List<Layer> register(String config) {
        List<Layer> layers = new ArrayList<>();
        new LoggingExtension().register((priority, layer) -> layers.add(new Layer("logging", priority, layer)),
                (ObjectNode) Json.MAPPER.readTree(config));
        return layers;
    }
}
