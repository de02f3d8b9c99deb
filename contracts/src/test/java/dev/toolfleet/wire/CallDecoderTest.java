package dev.toolfleet.wire;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class CallDecoderTest {
    private static final String GOOD = "{\"id\":\"call_0\",\"name\":\"bash__exec\",\"instanceKey\":\"i1\"}";

    @Test
    void aCallWithTheRequiredFieldsIsValidAndPassesAnEmptyObject() {
        assertThat(valid(GOOD)).isEqualTo(ToolCall.of("call_0", "bash__exec", Json.MAPPER.createObjectNode(), "i1"));
    }

    @Test
    void whoWaitsForTheTurnIsRead() {
        assertThat(valid(GOOD.replace("}", ",\"callers\":[{\"agent\":\"a\",\"instanceKey\":\"i\",\"more\":1}]}"))
                .callers()).containsExactly(new AgentAddress("a", "i"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "\"a\"", "[\"a\"]", "[{\"agent\":\"a\"}]", "[{\"agent\":1,\"instanceKey\":\"i\"}]"})
    void whoWaitsMustBeNamed(String callers) {
        assertThat(malformed(GOOD.replace("}", ",\"callers\":" + callers + "}")).reason())
                .startsWith("'callers' must be an array of objects");
    }

    @Test
    void aRecordWithoutValueIsMalformed() {
        assertThat(CallDecoder.decode("i1", null)).isEqualTo(malformed("the record has no value", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"id\":\"a\"", "hello", "{\"id\":\"a\",}", "{'id':'a'}", "{\"id\":NaN}",
            "{\"id\":\"a\"} trailing", "{\"id\":\"a\"}{}", "{\"id\":\"tab\there\"}", "{\"id\":01}", "[", "\u0000"})
    void whatIsNotJsonIsMalformedAndNamesNobody(String text) {
        DecodedCall.Malformed malformed = malformed(text);

        assertThat(malformed.caller()).isNull();
        assertThat(malformed.reason()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({"[], ARRAY", "null, NULL", "1, NUMBER", "true, BOOLEAN", "'\"{}\"', STRING"})
    void whatIsNoObjectIsMalformed(String json, String type) {
        assertThat(malformed(json)).isEqualTo(malformed("a JSON object expected, got " + type, null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'id' is missing                      | {"name":"n","instanceKey":"i"}
            'id' is missing                      | {"id":"","name":"n","instanceKey":"i"}
            'id' is missing                      | {"id":null,"name":"n","instanceKey":"i"}
            'id' must be text, got NUMBER        | {"id":7,"name":"n","instanceKey":"i"}
            'id' must be text, got OBJECT        | {"id":{},"name":"n","instanceKey":"i"}
            'id' is not well-formed Unicode      | {"id":"\\ud83d","name":"n","instanceKey":"i"}
            'instanceKey' is missing             | {"id":"a","name":"n"}
            'instanceKey' must be text, got ARRAY | {"id":"a","name":"n","instanceKey":["i"]}
            """, quoteCharacter = '\u0001')
    void aCallThatCannotBeAnsweredNamesNobody(String reason, String json) {
        assertThat(malformed(json)).isEqualTo(malformed(reason, null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'name' is missing                    | {}
            'name' is missing                    | {"name":""}
            'name' must be text, got BOOLEAN     | {"name":true}
            'agentName' must be text, got NUMBER | {"name":"n","agentName":1}
            'turnId' must be text, got OBJECT    | {"name":"n","turnId":{}}
            'stepId' must be text, got ARRAY     | {"name":"n","stepId":[]}
            'stepIndex' must be a whole number, got "2" | {"name":"n","stepIndex":"2"}
            'stepIndex' must be a whole number, got 1.5 | {"name":"n","stepIndex":1.5}
            'stepIndex' must be a whole number, got 2147483648 | {"name":"n","stepIndex":2147483648}
            'metadata' must be an object, got ARRAY | {"name":"n","metadata":[]}
            'idempotencyKey' must be text, got NUMBER | {"name":"n","idempotencyKey":7}
            'idempotencyKey' must be text, got ARRAY | {"name":"n","idempotencyKey":["k"]}
            'idempotencyKey' is not well-formed Unicode | {"name":"n","idempotencyKey":"\\ud83d"}
            'idempotencyKey' must be 1 to 255 printable ASCII characters, got 0: '' | {"name":"n","idempotencyKey":""}
            'idempotencyKey' must be 1 to 255 printable ASCII characters, got 2: 'ké' | {"name":"n","idempotencyKey":"k\\u00e9"}
            'args' holds a number beyond the range of a double | {"name":"n","args":{"a":[1e999]}}
            'args' holds a number beyond the range of a double | {"name":"n","arguments":"{\\"a\\":-1e999}"}
            'message' holds a number beyond the range of a double | {"name":"n","message":[1e999]}
            'metadata' holds a number beyond the range of a double | {"name":"n","metadata":{"a":1e999}}
            """, quoteCharacter = '\u0001')
    void aMalformedCallStillNamesItsCaller(String reason, String rest) {
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(rest);
        if (rest.contains("e999") || rest.contains("\\u"))
            assertCaller(malformed("{\"id\":\"a\",\"instanceKey\":\"i\"," + rest.substring(1)), reason);
        else
            assertCaller(malformed(json.put("id", "a").put("instanceKey", "i").toString()), reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomorrow", "2026-11-21", "2026-11-21T20:00:00", "1763755200", "+12026-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", ""})
    void aDeadlineIsAnInstantWithATimeZone(String deadline) {
        DecodedCall.Malformed malformed = malformed(
                "{\"id\":\"a\",\"name\":\"n\",\"instanceKey\":\"i\",\"deadline\":\"" + deadline + "\"}");

        assertCaller(malformed,
                "'deadline' must be an instant such as 2026-11-21T20:00:00Z, got '" + deadline + "'");
    }

    @Test
    void aDeadlineMayHaveAnOffset() {
        String json = "{\"id\":\"a\",\"name\":\"n\",\"instanceKey\":\"i\",\"deadline\":\"2026-11-21T20:00:00+09:00\"}";

        assertThat(valid(json).deadline()).isEqualTo(Instant.parse("2026-11-21T11:00:00Z"));
    }

    @Test
    void theRecordsKeyNamesTheInstanceWhenTheValueDoesNot() {
        DecodedCall decoded = CallDecoder.decode("from-key", utf8("{\"id\":\"a\",\"name\":\"n\"}"));

        assertThat(decoded).isInstanceOfSatisfying(DecodedCall.Malformed.class, malformed -> {
            assertThat(malformed.reason()).isEqualTo("'instanceKey' is missing");
            assertThat(malformed.caller()).extracting(ToolCall::instanceKey).isEqualTo("from-key");
        });
    }

    @Test
    void theValuesInstanceCountsWhenTheKeyIsAnother() {
        assertThat(CallDecoder.decode("other", utf8(GOOD))).isEqualTo(new DecodedCall.Valid(valid(GOOD)));
    }

    @Test
    void anInstanceKeyMayHave1024Units() {
        String longest = "k".repeat(ToolCall.MAX_INSTANCE_KEY);

        assertThat(valid(GOOD.replace("\"i1\"", "\"" + longest + "\"")).instanceKey()).isEqualTo(longest);
    }

    @ParameterizedTest
    @ValueSource(ints = {1025, 10_000, 12_000})
    void aLongerInstanceKeyIsRefusedButAnswered(int length) {
        String key = "k".repeat(length);

        DecodedCall.Malformed malformed = malformed(GOOD.replace("\"i1\"", "\"" + key + "\""));

        assertThat(malformed.reason())
                .isEqualTo("'instanceKey' has " + length + " characters; at most 1024 are accepted");
        assertThat(malformed.caller()).extracting(ToolCall::instanceKey).isEqualTo(key);
    }

    @Test
    void aKeyThatFitsNoResultIsNotAnswered() {
        assertThat(malformed(GOOD.replace("\"i1\"", "\"" + "k".repeat(12_001) + "\"")).caller()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "agentName", "turnId", "stepId", "traceId", "userId", "channelId",
            "catalogDigest"})
    void anIdThatEveryRecordWouldRepeatIsLimited(String field) {
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(GOOD);

        json.put(field, "x".repeat(ToolCall.MAX_ID));
        assertThat(valid(json.toString())).isNotNull();
        json.put(field, "x".repeat(ToolCall.MAX_ID + 1));
        assertCaller(malformed(json.toString()), "'" + field + "' has 1025 characters; at most 1024 are accepted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", " ", "~", "order 4711/\"x\"\\"})
    void anIdempotencyKeyIsPrintableAscii(String key) {
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(GOOD);

        assertThat(valid(json.put("idempotencyKey", key).toString()).idempotencyKey()).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t", "\u0000", "\u007f", "a\nb", "\u0080", "\u2003", "😀"})
    void otherCharactersInAnIdempotencyKeyAreRefused(String key) {
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(GOOD);

        DecodedCall.Malformed malformed = malformed(json.put("idempotencyKey", key).toString());

        assertThat(malformed.reason()).startsWith("'idempotencyKey' must be 1 to 255 printable ASCII characters");
        assertThat(malformed.caller()).extracting(ToolCall::id).isEqualTo("call_0");
    }

    @Test
    void anIdempotencyKeyHasAtMost255Characters() {
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(GOOD);

        assertThat(valid(json.put("idempotencyKey", "k".repeat(255)).toString()).idempotencyKey()).hasSize(255);
        assertThat(malformed(json.put("idempotencyKey", "k".repeat(256)).toString()).reason())
                .startsWith("'idempotencyKey' must be 1 to 255 printable ASCII characters, got 256: 'kkk");
    }

    @Test
    void aReasonQuotesNoWholeRecord() {
        String huge = "x".repeat(1_000_000);

        assertThat(malformed(huge).reason()).hasSizeLessThanOrEqualTo(500);
        assertThat(malformed(GOOD.replace("}", ",\"deadline\":\"" + huge + "\"}")).reason())
                .hasSizeLessThanOrEqualTo(500).endsWith("... (truncated)");
    }

    @Test
    void aNameThatStandsTwiceIsMalformed() {
        assertThat(malformed(GOOD.replace("}", ",\"name\":\"other\"}")).reason()).contains("Duplicate", "name");
        assertThat(malformed(GOOD.replace("}", ",\"args\":{\"a\":1,\"a\":2}}")).reason()).contains("Duplicate");
        assertThat(malformed(GOOD.replace("}", ",\"more\":1,\"more\":null}")).reason()).contains("Duplicate", "more");
        assertThat(malformed(GOOD.replace("}", ",\"more\":[{\"a\":1,\"a\":2}]}")).reason()).contains("Duplicate");
    }

    @Test
    void fieldsThatNoReleaseKnowsAreIgnored() {
        assertThat(valid(GOOD.replace("}", ",\"more\":{\"a\":[1,{\"id\":7}]},\"and\":\"more\"}")))
                .isEqualTo(valid(GOOD));
    }

    @Test
    void aNameThatStandsTwiceInTextLeavesTheTextForValidationToRefuse() {
        ToolCall call = valid(GOOD.replace("}", ",\"arguments\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}"));

        assertThat(call.args().isString()).isTrue();
    }

    @Test
    void nestingEndsAtAHundredLevels() {
        String deepest = GOOD.replace("}", ",\"args\":" + "[".repeat(99) + "]".repeat(99) + "}");

        ToolCall call = valid(deepest);
        assertThat(malformed(deepest.replace("[]", "[[]]")).reason()).contains("nesting");
        // The fleet wraps calls in records of its own, and must be able to read them.
        ResumedCall wrapped = new ResumedCall(call, 0, new ResumedCall.Grant("h", "f", "r", null, null, null, null,
                Instant.EPOCH), null, null, null);
        WireCodec<ResumedCall> codec = WireCodec.of(ResumedCall.class);
        assertThat(codec.read(codec.write(wrapped))).isEqualTo(wrapped);
    }

    @Test
    void nestingThatWouldOverflowAStackIsMalformed() {
        assertThat(malformed("[".repeat(500_000)).reason()).contains("nesting");
        assertThat(valid(GOOD.replace("}", ",\"arguments\":\"" + "[".repeat(500_000) + "\"}")).args().isString())
                .isTrue();
    }

    @Test
    void bytesThatAreNotUtf8AreMalformed() {
        byte[] bytes = utf8(GOOD);
        bytes[GOOD.indexOf("call_0")] = (byte) 0xff;

        assertThat(CallDecoder.decode("i1", bytes)).isInstanceOf(DecodedCall.Malformed.class);
        assertThat(CallDecoder.decode("i1", "{\"id\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1)))
                .isInstanceOf(DecodedCall.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
    void otherUnicodeEncodingsAreMalformed(String encoding) {
        assertThat(CallDecoder.decode(null, GOOD.getBytes(Charset.forName(encoding))))
                .isEqualTo(malformed("not JSON: not encoded in UTF-8", null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = """
            {"args":{"a":1},"arguments":{"b":2},"input":{"c":3}} | {"a":1}
            {"args":null,"arguments":{"b":2},"input":{"c":3}}    | {"b":2}
            {"arguments":null,"input":{"c":3}}                   | {"c":3}
            {"args":null}                                        | {}
            {"arguments":""}                                     | {}
            {"arguments":"  "}                                   | {}
            {"arguments":"{\\"a\\": 1}"}                         | {"a":1}
            {"arguments":"[1]"}                                  | [1]
            {"arguments":"ls -l"}                                | "ls -l"
            {"arguments":"{\\"\\\\ud83d\\":1}"}                    | "{\\"\\\\ud83d\\":1}"
            {"arguments":"{\\"a\\":\\"\\ud83d\\"}"}                  | "{\\"a\\":\\"\\ud83d\\"}"
            {"arguments":"{} {}"}                                | "{} {}"
            {"args":[1]}                                         | [1]
            {"args":7}                                           | 7
            """)
    void argumentsAreReadFromWhereTheyStand(String fields, String args) {
        ToolCall call = valid(GOOD.replace("}", ",") + fields.substring(1));

        assertThat(call.args()).isEqualTo(Json.MAPPER.readTree(args));
        assertThat(Fingerprint.of(call.name(), call.args())).startsWith("sha256:");
    }

    private static void assertCaller(DecodedCall.Malformed malformed, String reason) {
        assertThat(malformed.reason()).isEqualTo(reason);
        assertThat(malformed.caller()).isNotNull();
    }

    private static DecodedCall.Malformed malformed(String reason, @Nullable ToolCall caller) {
        return new DecodedCall.Malformed(reason, caller);
    }

    private static DecodedCall.Malformed malformed(String json) {
        DecodedCall decoded = CallDecoder.decode(null, utf8(json));
        assertThat(decoded).isInstanceOf(DecodedCall.Malformed.class);
        return (DecodedCall.Malformed) decoded;
    }

    private static ToolCall valid(String json) {
        DecodedCall decoded = CallDecoder.decode(null, utf8(json));
        assertThat(decoded).isInstanceOf(DecodedCall.Valid.class);
        return ((DecodedCall.Valid) decoded).call();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
