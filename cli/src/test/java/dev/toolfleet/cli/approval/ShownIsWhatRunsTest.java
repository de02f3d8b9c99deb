package dev.toolfleet.cli.approval;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.guard.FleetGuard;
import dev.toolfleet.worker.guard.FleetSecrets;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.guard.ResultGuard.GuardedCall;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The whole way of a call's arguments to a person's eyes: the worker's guard, the record on `tool.pending`, the command.
/// For every JSON, what `toolfleet approvals HANDLE` prints reads as exactly what runs, or `toolfleet approve` refuses.
class ShownIsWhatRunsTest {
    private static final WireCodec<PendingCall> CODEC = WireCodec.of(PendingCall.class);
    private static final String SECRET = "Zq7+hunter/2\"99";
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final int LABEL = 14;
    private static final int TRIES = 3_000;

    private final FleetGuard guard = new FleetGuard(() -> FleetResources.EMPTY,
            new FleetSecrets(Map.of(), Map.of("BUILD_TOKEN", SECRET)), 1 << 20);
    private final ApprovalText text = new ApprovalText(new View(new Style(false), 80, NOW));

    @Test
    void whatIsShownIsWhatRunsOrTheApprovalIsRefused() {
        int refused = 0;
        for (int seed = 0; seed < TRIES; seed++) {
            try {
                refused += isRefused(new Jsons(seed).arguments()) ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(refused).as("both were met").isBetween(TRIES / 50, TRIES / 2);
    }

    /// Looks that all is shown, or that the approval is refused.
    private boolean isRefused(JsonNode arguments) {
        PendingCall pending = asked(arguments);
        OpenApproval open = OpenApproval.of(pending);

        if (arguments.toString().contains(SECRET.substring(0, 12)))
            assertThatThrownBy(() -> ApprovalDecider.refuseHidden(open)).isInstanceOf(Failure.class)
                    .hasMessageContaining("--despite-hidden").hasMessageContaining("toolfleet approvals h-1");
        else
            ApprovalDecider.refuseHidden(open);
        List<String> card = text.card(open);
        if (open.isShownWhole())
            assertThat(printed(card)).isEqualTo(pending.call().args());
        assertThat(card).allSatisfy(line -> assertThat(line)
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cn}\\p{Co}\u3164\u2800]")
                .doesNotContain(SECRET.substring(0, 12)));
        return !open.isShownWhole();
    }

    @Test
    void aCommandInThePlaceOfAPasswordIsSeen() {
        String command = "git clone https://bot:x;id|tee${IFS}PWNED;echo${IFS}INJECTED;@git.example.org";
        OpenApproval open = OpenApproval.of(asked(Json.MAPPER.createObjectNode().put("command", command)));

        assertThat(text.card(open)).anySatisfy(line -> assertThat(line).contains(command));
        assertThat(open.isShownWhole()).isTrue();
    }

    @Test
    void nothingOfManyOrLongLinesIsCut() {
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        for (int i = 0; i < 200; i++)
            arguments.put("field" + i, "x".repeat(i == 150 ? 20_000 : 10) + "; rm -rf /tmp/" + i);
        PendingCall pending = asked(arguments);

        assertThat(printed(text.card(OpenApproval.of(pending)))).isEqualTo(arguments);
    }

    private PendingCall asked(JsonNode arguments) {
        ObjectNode output = Json.MAPPER.createObjectNode().put("approval", "required");
        output.set("arguments", arguments);
        Guarded guarded = guard.guard(new GuardedCall("t__e", "coder", null, true),
                new ToolReply.Pending("h-1", output, null, null));
        PendingCall pending = Approved.waiting("h-1", ToolCall.of("c1", "t__e", arguments, "i"), 1, NOW,
                Approved.ASKED.hiding(guarded.hidden()), null);
        return CODEC.read(CODEC.write(pending.forCall(pending.call(),
                ((ToolReply.Pending) guarded.reply()).output())));
    }

    /// What the card's JSON says.
    private static JsonNode printed(List<String> card) {
        List<String> json = card.stream().dropWhile(line -> !line.startsWith("Arguments"))
                .map(line -> line.substring(LABEL)).toList();
        return Json.MAPPER.readTree(String.join("\n", json));
    }

    /// Arbitrary JSON, the same for the same seed.
    private static final class Jsons {
        private static final String ROUGH = "ab \\\\\\u0235c\"{}[],:\u001b\u202e\u200b\ufe0f\u00a0\u2028\r\n\t\ud83d\ude00;|$(`";
        private final Random random;

        Jsons(long seed) {
            random = new Random(seed);
        }

        ObjectNode arguments() {
            return object(3);
        }

        private ObjectNode object(int deep) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            for (int i = random.nextInt(4); i > 0; i--)
                object.set(name(), value(deep - 1));
            return object;
        }

        private JsonNode value(int deep) {
            JsonNodeFactory make = JsonNodeFactory.instance;
            return switch (random.nextInt(deep > 0 ? 8 : 6)) {
                case 0 -> make.numberNode(random.nextLong());
                case 1 -> make.numberNode(random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
                case 2 -> random.nextBoolean() ? make.booleanNode(random.nextBoolean()) : make.nullNode();
                case 3, 4, 5 -> make.stringNode(text());
                case 6 -> object(deep);
                default -> {
                    ArrayNode array = make.arrayNode();
                    for (int i = random.nextInt(4); i > 0; i--)
                        array.add(value(deep - 1));
                    yield array;
                }
            };
        }

        /// Half a surrogate pair in a name is no JSON that a call could bring.
        private String name() {
            return text().codePoints().filter(c -> c < 0xd800 || c > 0xdfff).collect(StringBuilder::new,
                    StringBuilder::appendCodePoint, StringBuilder::append).toString();
        }

        private String text() {
            return switch (random.nextInt(20)) {
                case 0 -> rough() + SECRET + rough();
                case 1, 2, 3 -> "https://bot:" + rough() + "@git.example.org?api_key=" + rough();
                case 4, 5, 6, 7, 8 -> random.ints(random.nextInt(20), 0, 0x10000).collect(StringBuilder::new,
                        (text, c) -> text.append((char) c), StringBuilder::append).toString();
                default -> rough();
            };
        }

        private String rough() {
            return random.ints(random.nextInt(30), 0, ROUGH.length()).collect(StringBuilder::new,
                    (text, i) -> text.append(ROUGH.charAt(i)), StringBuilder::append).toString();
        }
    }
}
