package dev.toolfleet.example.hello;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class HelloToolsIT {
    private final HelloTools module = new HelloTools();

    /// Checks the duties of every tool: answer in JSON and within a size, fail with a code and a message, leave nothing
    /// behind.
    @Test
    void keepsTheContractOfTools() throws InterruptedException {
        ToolContract.of(HelloTools::new)
                .export("greet").input("{'name': 'Ada'}").failingInput("{'name': 'Worf', 'language': 'tlh'}")
                .export("sign").input("{'name': 'Ada'}")
                .export("guests").input("{}")
                .verify();
    }

    @Test
    void greetsInTheLanguageThatIsAskedFor() throws Exception {
        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThat(answer(ctx, "greet", "{\"name\": \"Ada\", \"language\": \"es\"}").path("greeting").asString())
                    .isEqualTo("¡Hola, Ada!");
        }
    }

    @Test
    void anUnknownLanguageFailsWithTheKnownOnes() {
        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThatThrownBy(() -> answer(ctx, "greet", "{\"name\": \"Worf\", \"language\": \"tlh\"}"))
                    .isInstanceOfSatisfying(ToolException.class, failure -> {
                        assertThat(failure.code()).isEqualTo("E_UNKNOWN_LANGUAGE");
                        assertThat(failure.suggestion()).contains("en, es, ko");
                    });
        }
    }

    @Test
    void eachInstanceHasItsOwnGuestBook() throws Exception {
        try (FakeToolContext front = FakeToolContext.create(); FakeToolContext back = FakeToolContext.create()) {
            answer(front, "sign", "{\"name\": \"Ada\"}");
            answer(front, "sign", "{\"name\": \"Grace\"}");

            assertThat(answer(front, "guests", "{}").path("guests").values()).extracting(JsonNode::asString)
                    .containsExactly("Ada", "Grace");
            assertThat(answer(back, "guests", "{}").path("count").asInt()).isZero();
        }
    }

    @Test
    void knowsOfASignatureInTheBookAndOfNoOther() throws Exception {
        ObjectNode ada = (ObjectNode) Json.MAPPER.readTree("{\"name\": \"Ada\"}");
        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThat(module.reconcile("sign", ctx, ada)).isEqualTo(Reconciliation.unknown());
            answer(ctx, "sign", "{\"name\": \"Ada\"}");

            assertThat(module.reconcile("sign", ctx, ada)).isInstanceOfSatisfying(Reconciliation.Happened.class,
                    happened -> assertThat(json(happened.output())).hasToString("{\"count\":1,\"guests\":[\"Ada\"]}"));
            assertThat(module.reconcile("sign", ctx.toolCallId("call-2"), ada)).isEqualTo(Reconciliation.unknown());
        }
    }

    private JsonNode answer(FakeToolContext ctx, String export, String json) throws Exception {
        ToolHandler handler = requireNonNull(module.handlers().get(export));
        return json(handler.handle(ctx, (ObjectNode) Json.MAPPER.readTree(json)));
    }

    private static JsonNode json(@Nullable ToolOutput output) {
        return Json.MAPPER.valueToTree(((ToolOutput.Value) requireNonNull(output)).value());
    }
}
