package dev.toolfleet.example.hello;

import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolCallContext;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.ToolContext.Caller;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TidyNamesTest {
    private final List<String> seenByTheTool = new ArrayList<>();

    @Test
    void namesReachTheToolWithoutSpacesAroundThem() throws Exception {
        ToolReply reply = call("{\"name\": \"  Ada \", \"language\": \" en \"}");

        assertThat(reply).isInstanceOf(ToolReply.Ok.class);
        assertThat(seenByTheTool).containsExactly("{\"name\":\"Ada\",\"language\":\" en \"}");
    }

    @Test
    void aBlankNameNeverReachesTheTool() throws Exception {
        ToolReply reply = call("{\"name\": \"   \"}");

        assertThat(reply).isInstanceOfSatisfying(ToolReply.Failed.class,
                failed -> assertThat(failed.error().code()).isEqualTo("E_BLANK_ARGUMENT"));
        assertThat(seenByTheTool).isEmpty();
    }

    @Test
    void argumentsOfAnotherShapeAreLeftToTheSchema() throws Exception {
        call("{\"name\": 7}");
        call("[1]");

        assertThat(seenByTheTool).containsExactly("{\"name\":7}", "[1]");
    }

    @Test
    void aConfigurationWithoutFieldsIsRefused() {
        try (TidyNames extension = new TidyNames()) {
            assertThatThrownBy(() -> extension.register((priority, middleware) -> {}, Json.MAPPER.createObjectNode()))
                    .hasMessageContaining("config.fields");
        }
    }

    private ToolReply call(String args) throws Exception {
        List<ToolCallMiddleware> layers = new ArrayList<>();
        ObjectNode config = Json.MAPPER.createObjectNode();
        config.putArray("fields").add("name");
        try (TidyNames extension = new TidyNames()) {
            extension.register((priority, middleware) -> layers.add(middleware), config);
            Call call = new Call(Json.MAPPER.readTree(args));
            return layers.getFirst().handle(call, () -> {
                seenByTheTool.add(call.args().toString());
                return new ToolReply.Ok(Json.MAPPER.createObjectNode());
            });
        }
    }

    /// A call on its way to `hello__greet`.
    private static final class Call implements ToolCallContext {
        private final ObjectNode metadata = Json.MAPPER.createObjectNode();
        private JsonNode args;

        Call(JsonNode args) {
            this.args = args;
        }

        @Override
        public String agentName() {
            return "porter";
        }

        @Override
        public String instanceKey() {
            return "front-door";
        }

        @Override
        public String turnId() {
            return "turn-1";
        }

        @Override
        public String stepId() {
            return "step-1";
        }

        @Override
        public Integer stepIndex() {
            return 0;
        }

        @Override
        public @Nullable String traceId() {
            return null;
        }

        @Override
        public String toolName() {
            return "hello__greet";
        }

        @Override
        public String toolCallId() {
            return "call-1";
        }

        @Override
        public Caller caller() {
            return new Caller(null, null);
        }

        @Override
        public JsonNode args() {
            return args;
        }

        @Override
        public void args(JsonNode changed) {
            args = changed;
        }

        @Override
        public ObjectNode metadata() {
            return metadata;
        }
    }
}
