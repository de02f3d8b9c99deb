package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// No body is a fault of the gateway, whatever a client makes of it.
class MutatedBodiesPropertyTest {
    private static final String SEED = "20261125";
    private static final List<Request> GOOD = List.of(
            new Request("/v1/instances/i/agents/coder/calls", """
                    {"id":"c1","name":"n","args":{"a":[1,2.5e3,null,{"b":"ü𝄞"}]},"turnId":"t","stepId":"s","stepIndex":3,
                     "deadline":"2026-11-25T20:00:00Z","message":{"role":"user"},"metadata":{"k":1},
                     "callers":[{"agentName":"a","instanceKey":"j"}],"traceId":"x","userId":"u","channelId":"c"}"""),
            new Request("/v1/instances/i/agents/coder/calls", "{\"name\":\"n\",\"arguments\":\"{\\\"a\\\":1}\"}"),
            new Request("/v1/instances/i/agents/coder/steps?format=openai", """
                    {"turnId":"t","stepId":"s","stepIndex":1,"userId":"u","channelId":"c","hints":{"a":[true]}}"""),
            new Request("/v1/instances/i/agents/coder/steps/t/s/end", "{\"stepIndex\":1}"),
            new Request("/v1/handles/h-1/completions", """
                    {"kind":"failed","error":{"code":"E_X","message":"no"},"progress":{"percent":5,"message":"m"},
                     "output":{"a":1},"token":"t"}"""),
            new Request("/v1/handles/h-1/decision", """
                    {"decision":"approve","by":"ann","reason":"fine","despiteHidden":true}"""),
            new Request("/v1/calls/0-0/cancel", "{\"reason\":\"no longer needed\"}"));
    /// Texts that parsers and readers of fields have stumbled over.
    private static final List<String> PIECES = List.of("null", "true", "-0", "1e999", "-1e-999", "NaN", "Infinity",
            "99999999999999999999", "\"\\ud83d\"", "\"\\udc00\"", "\"\\u0000\"", "\"\"", "[]", "{}", "[[[[", "}}", ",",
            ":", "\"", "\\", "/*", "//", "\u2028", "\uFEFF", "{\"a\":1,\"a\":2}", "[".repeat(150),
            "{\"a\":".repeat(150),
            "\"" + "x".repeat(2000) + "\"", "PT-1S", "1.5", "'", "\r\n");

    private static MemoryFleet fleet = new MemoryFleet();
    @SuppressWarnings("NullAway.Init")
    private static TestGateway gateway;

    record Request(String path, String body) {}

    /// Change of a body, at places that are shares of its length.
    ///
    /// @param kind 0 replaces bytes by a piece, 1 removes them, 2 repeats them, 3 inserts a piece, 4 changes a byte
    record Mutation(int kind, double from, double to, String piece, byte value) {
        byte[] of(byte[] body) {
            int a = (int) (Math.min(from, to) * body.length);
            int b = (int) (Math.max(from, to) * body.length);
            byte[] text = piece.getBytes(StandardCharsets.UTF_8);
            return switch (kind) {
                case 0 -> joined(head(body, a), text, tail(body, b));
                case 1 -> joined(head(body, a), tail(body, b));
                case 2 -> joined(head(body, b), tail(body, a));
                case 3 -> joined(head(body, a), text, tail(body, a));
                default -> joined(head(body, a), new byte[]{value}, tail(body, Math.min(a + 1, body.length)));
            };
        }

        private static byte[] head(byte[] body, int to) {
            return Arrays.copyOf(body, to);
        }

        private static byte[] tail(byte[] body, int from) {
            return Arrays.copyOfRange(body, from, body.length);
        }

        private static byte[] joined(byte[]... parts) {
            byte[] all = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
            int at = 0;
            for (byte[] part : parts) {
                System.arraycopy(part, 0, all, at, part.length);
                at += part.length;
            }
            return all;
        }
    }

    @BeforeContainer
    static void start() {
        fleet = new MemoryFleet();
        gateway = new TestGateway(fleet, fleet.calls);
    }

    @AfterContainer
    static void stop() {
        gateway.close();
    }

    @Provide
    Arbitrary<Request> requests() {
        return Arbitraries.of(GOOD);
    }

    @Provide
    Arbitrary<List<Mutation>> mutations() {
        Arbitrary<Double> place = Arbitraries.doubles().between(0, 1);
        return Combinators.combine(Arbitraries.integers().between(0, 4), place, place, Arbitraries.of(PIECES),
                Arbitraries.bytes()).as(Mutation::new).list().ofMinSize(1).ofMaxSize(3);
    }

    @Property(tries = 1_000, seed = SEED)
    void aMutatedBodyIsAcceptedOrRefusedAndNeverAFault(@ForAll("requests") Request request,
            @ForAll("mutations") List<Mutation> mutations) {
        byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
        for (Mutation mutation : mutations)
            body = mutation.of(body);

        HttpResponse<String> answer = gateway.post(request.path(), body, "Content-Type", "application/json", "Prefer",
                "respond-async");

        assertThat(answer.statusCode()).as(() -> "an answer to a mutated body: " + answer.body()).isLessThan(500);
        if (answer.statusCode() >= 400) {
            assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
            assertThat(json(answer).path("detail").asString()).isNotEmpty();
        }
    }
}
