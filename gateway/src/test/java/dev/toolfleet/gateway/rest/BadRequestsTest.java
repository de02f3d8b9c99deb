package dev.toolfleet.gateway.rest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// Bad requests are refused with the name of the field, and nothing of them is sent to the fleet.
class BadRequestsTest {
    private static final String PATH = "/v1/instances/i/agents/coder/calls";
    private static final String JSON = "application/json";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                   | 'name' is missing
            {"name":""}                          | 'name' is missing
            {"name":7}                           | 'name' must be text
            {"name":"n","id":""}                 | 'id' is missing
            {"name":"n","id":[]}                 | 'id' must be text
            {"name":"n","stepIndex":1.5}         | 'stepIndex' must be a whole number
            {"name":"n","deadline":"tomorrow"}   | 'deadline' must be an instant
            {"name":"n","metadata":[]}           | 'metadata' must be an object
            {"name":"n","callers":{}}            | 'callers' must be an array
            {"name":"n","instanceKey":"other"}   | 'instanceKey' is unknown
            {"name":"n","agentName":"other"}     | 'agentName' is unknown
            {"name":"n","idempotencyKey":"k"}    | 'idempotencyKey' is unknown
            {"name":"n","arg":{}}                | 'arg' is unknown
            {"name":"n","args":{"a":[1e999]}}    | 'args.a[0]' holds a number beyond
            {"name":"n","args":{"a":"\\ud83d"}}  | 'args.a' is not well-formed Unicode
            {"name":"n","args":{"\\udc00":1}}    | not JSON: Unexpected low surrogate
            {"name":"\\ud83dx"}                  | 'name' is not well-formed Unicode
            {"name":"n","name":"m"}              | Duplicate
            {"name":"n","args":{"a":1,"a":2}}    | Duplicate
            {"name":"n","args":{"a":NaN}}        | not JSON
            {"name":"n","args":{"a":Infinity}}   | not JSON
            {"name":"n"} {}                      | not JSON
            {"name":"n"                          | not JSON
            []                                   | must be a JSON object, not array
            7                                    | must be a JSON object, not number
            """, quoteCharacter = '\u0001')
    void aBadBodyIsRefusedByTheNameOfItsField(String body, String expected) {
        HttpResponse<String> answer = gateway.post(PATH, body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(json(answer).path("detail").asString()).contains(expected);
        assertThat(fleet.sent).isEmpty();
    }

    @Test
    void anEmptyBodyIsRefused() {
        assertThat(gateway.post(PATH, "").statusCode()).isEqualTo(400);
    }

    @Test
    void anIdThatIsTooLongIsRefused() {
        HttpResponse<String> answer = gateway.post(PATH, "{\"name\":\"" + "n".repeat(1025) + "\"}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains("'name' has 1025 characters; at most 1024");
        HttpResponse<String> key = gateway.post("/v1/instances/" + "k".repeat(1025) + "/agents/a/calls",
                "{\"name\":\"n\"}");
        assertThat(key.statusCode()).isEqualTo(400);
        assertThat(json(key).path("detail").asString()).contains("'instanceKey' has 1025 characters");
    }

    @Test
    void aBodyOfAThousandLevelsIsRefused() {
        HttpResponse<String> answer = gateway.post(PATH,
                "{\"name\":\"n\",\"args\":" + "[".repeat(1000) + "]".repeat(1000) + "}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains("depth");
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedAlsoWithoutALength() {
        byte[] large = ("{\"name\":\"n\",\"args\":\"" + "x".repeat(CallRequest.MAX_BODY) + "\"}")
                .getBytes(StandardCharsets.UTF_8);

        assertThat(gateway.post(PATH, large, "Content-Type", JSON).statusCode()).isEqualTo(413);
        HttpResponse<String> chunked = gateway.send(gateway.request(PATH, "Content-Type", JSON)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large))));
        assertThat(chunked.statusCode()).isEqualTo(413);
        assertThat(fleet.sent).isEmpty();
    }

    @Test
    void aCallThatGrowsBeyondARecordIsRefused() {
        // Each number is four characters here, and nine as the fleet writes it.
        String body = "{\"name\":\"n\",\"args\":[" + "1e15,".repeat(190_000) + "1]}";

        HttpResponse<String> answer = gateway.post(PATH, body);

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(fleet.sent).isEmpty();
    }

    @Test
    void otherEncodingsAreRefused() {
        for (byte[] body : new byte[][]{"{\"name\":\"n\"}".getBytes(StandardCharsets.UTF_16),
                {'{', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', ':', '1', '}'}, {(byte) 0xff, (byte) 0xfe}}) {
            HttpResponse<String> answer = gateway.post(PATH, body, "Content-Type", JSON);

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(json(answer).path("detail").asString()).contains("not JSON");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
    void aTypeThatABrowserSendsWithoutAskingIsRefused(String type) {
        HttpResponse<String> answer = gateway.post(PATH, "{\"name\":\"n\"}".getBytes(StandardCharsets.UTF_8),
                "Content-Type", type);

        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(fleet.sent).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ""        | 1 to 255
            "abc      | no quoted string
            "a"b"     | no quoted string
            "a\\n"    | no quoted string
            "a\\      | no quoted string
            """, quoteCharacter = '\u0001')
    void aBadKeyIsRefused(String key, String expected) {
        HttpResponse<String> answer = gateway.post(PATH, "{\"name\":\"n\"}", IdempotencyKey.HEADER, key);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains("Idempotency-Key", expected);
    }

    @Test
    void aKeyHasAtMost255Characters() {
        assertThat(gateway.post(PATH, "{\"name\":\"n\"}", IdempotencyKey.HEADER, "k".repeat(255)).statusCode())
                .isEqualTo(200);
        assertThat(gateway.post(PATH, "{\"name\":\"n\"}", IdempotencyKey.HEADER, "k".repeat(256)).statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait", "wait=", "wait=-1", "wait=1.5", "wait=soon", "wait=99999999999"})
    void aWaitIsWholeSeconds(String prefer) {
        HttpResponse<String> answer = gateway.post(PATH, "{\"name\":\"n\"}", "Prefer", prefer);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains("Prefer");
    }

    @Test
    void anotherPreferenceThatBeginsLikeAWaitIsIgnored() {
        assertThat(gateway.post(PATH, "{\"name\":\"n\"}", "Idempotency-Key", "k", "Prefer", "waiting, wait-for=x")
                .statusCode()).isEqualTo(200);
    }

    @Test
    void twoKeysForOneCallAreRefused() {
        HttpResponse<String> answer = gateway.post(PATH, "{\"name\":\"n\"}", "Idempotency-Key", "a",
                "Idempotency-Key", "b");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains("Idempotency-Key stands there 2 times");
        assertThat(fleet.sent).isEmpty();
    }

    /// A filter that cannot be read, and is left out, shows what it should have hidden.
    @ParameterizedTest
    @ValueSource(strings = {"/v1/errors?instance=%zz", "/v1/errors?instance=%ff", "/v1/approvals?%zz",
            "/v1/errors?limit=1&limit=2",
            "/v1/instances/i%ed%a0%80/results"})
    void aTargetThatCannotBeReadIsRefused(String target) throws IOException {
        String answer = raw("GET " + target);

        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("problem:invalid-request");
    }

    /// The client of the JDK would not send it.
    private String raw(String request) throws IOException {
        URI uri = URI.create(gateway.url());
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.getOutputStream().write((request + " HTTP/1.1\r\nHost: " + uri.getAuthority()
                    + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void unknownParametersAreRefused() {
        HttpResponse<String> answer = gateway.post(PATH + "?wait=3", "{\"name\":\"n\"}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains("'wait'");
    }

    @Test
    void anotherMethodIsRefusedWithThoseThatThereAre() {
        HttpResponse<String> answer = gateway.get(PATH);

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(header(answer, "Allow")).contains("POST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "0-", "-1-3", "0-01", "0-x", "99999999999-1"})
    void aWrongCallIdIsRefused(String id) {
        HttpResponse<String> answer = gateway.get("/v1/calls/" + id);

        assertThat(answer.statusCode()).isIn(400, 404);
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
    }
}
