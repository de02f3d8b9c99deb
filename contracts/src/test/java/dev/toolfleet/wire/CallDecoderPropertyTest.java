package dev.toolfleet.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.constraints.UniqueElements;

import static org.assertj.core.api.Assertions.assertThat;

/// Decoding returns a result for any bytes on `tool.call`; the fleet can identify, write and read every valid one.
class CallDecoderPropertyTest {
    private static final WireCodec<ToolCall> CODEC = WireCodec.of(ToolCall.class);
    private static final List<WireRecords.Golden> GOLDENS = WireRecords.goldens(ToolCall.class);
    private static final List<String> PIECES = List.of("{", "}", "[", "]", "\"", ":", ",", "null", "1e999", "-",
            "\\ud83d", "\\u0000", "\\", "\"id\"", "\"args\"", "\"deadline\"", "\"name\":1", "true", "9".repeat(1100),
            "\u0000", "😀", "[".repeat(200), "\"input\":\"{\\\"a\\\":", " ");

    @Property(seed = "417", tries = 2000)
    void randomBytesNeverThrow(@ForAll byte[] bytes, @ForAll @StringLength(max = 20) String key) {
        assertUsable(CallDecoder.decode(key, bytes));
    }

    @Property(seed = "418", tries = 3000)
    void mutatedCallsNeverThrow(@ForAll @IntRange(min = 0, max = 1_000_000) int golden, @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 6) int mutations) {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(GOLDENS.get(golden % GOLDENS.size()).json());
        Random random = new Random(seed);
        for (int i = 0; i < mutations; i++)
            bytes = mutate(bytes, random);

        assertUsable(CallDecoder.decode("key", bytes));
    }

    @Property(seed = "419", tries = 1000)
    void textsThatLookLikeJsonNeverThrow(
            @ForAll @Size(max = 12) @UniqueElements List<@IntRange(min = 0, max = 23) Integer> pieces) {
        StringBuilder text = new StringBuilder();
        pieces.forEach(piece -> text.append(PIECES.get(piece)));

        assertUsable(CallDecoder.decode(null, text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    @Property(seed = "420", tries = 1000)
    void anIdempotencyKeyIsTakenAsItIsOrRefusedByItsName(@ForAll @StringLength(max = 300) String key) {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(Json.MAPPER.createObjectNode().put("id", "c").put("name", "n")
                .put("instanceKey", "i").put("idempotencyKey", key));

        switch (CallDecoder.decode(null, bytes)) {
            case DecodedCall.Valid(ToolCall call) -> {
                assertThat(ToolCall.isIdempotencyKey(key)).isTrue();
                assertThat(call.idempotencyKey()).isEqualTo(key);
            }
            case DecodedCall.Malformed(String reason, var caller) -> {
                assertThat(ToolCall.isIdempotencyKey(key)).isFalse();
                assertThat(reason).startsWith("'idempotencyKey' ");
                assertThat(caller).isNotNull();
            }
        }
    }

    private static void assertUsable(DecodedCall decoded) {
        switch (decoded) {
            case DecodedCall.Valid(ToolCall call) -> {
                assertThat(Fingerprint.of(call.name(), call.args())).startsWith("sha256:");
                assertThat(CallIdentity.of(call, 0, 0).text()).isNotEmpty();
                assertThat(CODEC.read(CODEC.write(call))).isEqualTo(call);
            }
            case DecodedCall.Malformed(String reason, var caller) -> {
                assertThat(reason).isNotBlank().hasSizeLessThanOrEqualTo(500);
                if (caller != null)
                    assertThat(CODEC.write(caller)).isNotEmpty();
            }
        }
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        if (bytes.length == 0)
            return bytes;
        int at = random.nextInt(bytes.length);
        byte[] piece = PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8);
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> joined(Arrays.copyOf(bytes, at), piece, Arrays.copyOfRange(bytes, at, bytes.length));
            case 2 -> joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at + 1, bytes.length));
            default -> {
                byte[] changed = bytes.clone();
                changed[at] = (byte) random.nextInt(256);
                yield changed;
            }
        };
    }

    private static byte[] joined(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }
}
