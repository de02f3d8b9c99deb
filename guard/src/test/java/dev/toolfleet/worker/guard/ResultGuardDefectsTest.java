package dev.toolfleet.worker.guard;

import java.util.concurrent.TimeUnit;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.GuardFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// The defects of the guard that this one descends from (FinClaw, phase 7), one by one: none of them is here.
class ResultGuardDefectsTest {
    private final Guards guards = new Guards();

    private static String characters(JsonNode node) {
        return Json.MAPPER.writeValueAsString(node);
    }

    @Test
    void theSizeOfNoResultIsTheSizeOfWhatIsPublished() {
        var guarded = guards.guard(new ToolReply.Ok(NullNode.instance));

        JsonNode output = ((ToolReply.Ok) guarded.reply()).output();
        assertThat(output.stringValue()).isEqualTo("[No result returned]");
        assertThat(guarded.facts()).isEqualTo(new GuardFacts(false, false, 4, characters(output).length()));
    }

    @Test
    void aCardAcrossTheCutLeavesNoHalf() {
        Guards small = new Guards("{\"maxContentLength\": 200}");
        for (int before = 100; before < 200; before++) {
            String cut = small.text("x".repeat(before) + " 4111-1111-1111-1111 " + "y".repeat(200));

            assertThat(cut).doesNotContain("4111").doesNotContain("1111");
        }
    }

    @Test
    void aCardThatMarkupSplitsIsFound() {
        assertThat(guards.web("pay 4111<b></b>-1111-1111-1111 now")).isEqualTo("pay [REDACTED] now");
        assertThat(guards.web("pay 41<i>11</i>1111<b>1111</b>1111 now")).isEqualTo("pay [REDACTED] now");
        assertThat(new Guards("{\"allowHtml\": true}").web("pay 4111<b></b>-1111-1111-1111 now"))
                .doesNotContain("1111");
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void openAngleBracketsTakeLinearTime() {
        Guards all = new Guards("{\"sanitizeHtml\": true, \"maxContentLength\": 5000000}");

        assertThat(all.text("<".repeat(100_000))).hasSize(100_000);
        assertThat(all.text("<a ".repeat(50_000))).isNotNull();
        assertThat(all.text("<div>".repeat(20_000))).isNotNull();
        assertThat(all.text("<b><i>".repeat(10_000))).isNotNull();
        assertThat(all.text("<a" + " x".repeat(50_000) + ">")).isNotNull();
    }

    @Test
    void textThatIsNoMarkupStays() {
        String code = "if a < b and c > d: List<String> x = new ArrayList<>();";

        assertThat(guards.text(code)).isEqualTo(code);
        assertThat(guards.json("{\"x\":\"<b>bold</b>\"}")).hasToString("{\"x\":\"<b>bold</b>\"}");
        assertThat(guards.web("if a < b and c > d")).isEqualTo("if a < b and c > d");
    }

    @Test
    void markupIsReadAsABrowserReadsIt() {
        assertThat(guards.web("a<script>alert('x')</script>b")).isEqualTo("ab");
        assertThat(guards.web("<p>a<script>alert('x')</script></p>")).isEqualTo("a");
        assertThat(guards.web("<!doctype html><title>t</title>a<script>alert('x')")).doesNotContain("alert");
        assertThat(guards.web("a<scr<script>ipt>alert(1)</script>b")).doesNotContain("<");
        assertThat(guards.web("<a title=\"a > b\" href=\"javascript:x\">link</a>")).isEqualTo("link");
        assertThat(guards.web("x &lt;script&gt; <b>y</b>")).doesNotContain("<script");
    }

    @Test
    void timesVolumesDecimalsAndOrdersStay() {
        for (String text : new String[]{"1700000000000", "1700000000", "volume 123456789012", "order 20240131123456",
                "call 01012345678", "1234567890.55", "0.4111111111111111", "4111111111111111.5",
                "id 9007199254740993", "2024-01-31 12:00:00", "order 110-123-456789", "tel 010-1234-5678"})
            assertThat(guards.text(text)).isEqualTo(text);
    }

    @Test
    void jsonStaysJsonAndNumbersStayNumbers() {
        String json = "{\"at\":1700000000000,\"n\":4111111111111111,\"price\":1234567890.55,\"volume\":12345678901}";

        JsonNode tree = Json.MAPPER.readTree(json);
        assertThat(guards.output("disk__read", tree)).isSameAs(tree);
    }

    @Test
    void koreanAccountsAmericanExpressAndCardsWithOtherSeparatorsAreFound() {
        for (String secret : new String[]{"110-123-456789", "123456-12-123456", "1002-123-456789", "378282246310005",
                "3782 822463 10005", "4111.1111.1111.1111", "4111\u200b1111\u200b1111\u200b1111",
                "4111\u00a01111\u00a01111\u00a01111", "6250941006528599", "4000000000000000006"})
            assertThat(guards.text("x " + secret + " y")).as(secret).isEqualTo("x [REDACTED] y");
    }

    /// A folder for temporary files has a random number; every sixtieth of 19 digits looks like a card's.
    @Test
    void numbersInNamesOfFilesStay() {
        for (String text : new String[]{"/tmp/junit-4000000000000000006/work", "at /tmp/a_b-4111111111111111.txt:",
                "/srv/run_4111111111111111"})
            assertThat(guards.text(text)).isEqualTo(text);

        for (String text : new String[]{"/v1/cards/4111111111111111", "/cards/my-4111111111111111",
                "pay-4111111111111111",
                "/v1/pay 4111111111111111", "a/b -4111111111111111"})
            assertThat(guards.text(text)).as(text).doesNotContain("4111");
    }

    @Test
    void cardsInListsAreFound() {
        assertThat(guards.text("7,4111111111111111,123")).isEqualTo("7,[REDACTED],123");
        assertThat(guards.text("[4111111111111111,5500000000000004]")).isEqualTo("[[REDACTED],[REDACTED]]");
        assertThat(guards.text("1. 4111111111111111\n2. 5500000000000004."))
                .isEqualTo("1. [REDACTED]\n2. [REDACTED].");
    }

    @Test
    void secretsAreFoundInCapitals() {
        String key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
        for (String name : new String[]{"AWS_SECRET_ACCESS_KEY=", "aws_secret_access_key = "})
            assertThat(guards.text(name + key)).isEqualTo(name + "[REDACTED]");
        assertThat(guards.text("BEARER abcdefghijkl12345678")).isEqualTo("BEARER [REDACTED]");
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void keysWithoutAnEndTakeLinearTime() {
        Guards all = new Guards("{\"maxContentLength\": 50000000}");
        String cut = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj".repeat(2) + "\n!";

        assertThat(all.text(cut.repeat(60_000))).doesNotContain("MIIEv").contains("[REDACTED]");
    }

    @Test
    void aNumberWithoutItsCheckDigitIsNoCard() {
        assertThat(guards.text("1234 5678 9012 3456")).isEqualTo("1234 5678 9012 3456");
        assertThat(guards.text("4111 1111 1111 1112")).isEqualTo("4111 1111 1111 1112");
    }

    @Test
    void numbersOfPartsAreNoSocialSecurityNumbers() {
        for (String part : new String[]{"PN-123-45-6789", "part 123-45-6789", "900-12-3456", "000-12-3456",
                "666-12-3456", "123-00-4567", "123-45-0000", "123-45-6789-00"})
            assertThat(guards.text(part)).isEqualTo(part);
        assertThat(guards.text("his is 123-45-6789.")).isEqualTo("his is [REDACTED].");
    }

    @Test
    void aPatternOfOnesOwnMasksEveryHit() {
        assertThat(new Guards("{\"redactPatterns\": [\"EMP-[0-9]+\"]}").text("EMP-1, EMP-2 and EMP-33"))
                .isEqualTo("[REDACTED], [REDACTED] and [REDACTED]");
    }

    @Test
    void whatIsCutFitsTheLimitKeepsItsEndAndSplitsNoPair() {
        Guards small = new Guards("{\"maxContentLength\": 1000}");
        for (int shift = 0; shift < 4; shift++) {
            String text = "a".repeat(shift) + "😀".repeat(2_000) + "Error: disk full";

            var guarded = small.guard(new ToolReply.Ok(StringNode.valueOf(text)));

            JsonNode output = ((ToolReply.Ok) guarded.reply()).output();
            assertThat(characters(output).length()).isBetween(980, 1000);
            assertThat(requireNonNull(guarded.facts()).truncated()).isTrue();
            assertThat(guarded.facts().guardedSize()).isEqualTo(characters(output).length());
            assertThat(output.stringValue()).contains("[truncated]").endsWith("Error: disk full");
            assertThat(ControlCharacters.paired(output.stringValue())).isSameAs(output.stringValue());
        }
    }

    @Test
    void escapeSequencesAndInvisibleCharactersGoAsAWhole() {
        assertThat(guards.text("\u001b[1;31mred\u001b[0m")).isEqualTo("red");
        assertThat(guards.text("\u009b31mred\u007f \u0085x")).isEqualTo("red x");
        assertThat(guards.text("\u001b]8;;http://x\u0007link\u001b]8;;\u001b\\")).isEqualTo("link");
        assertThat(guards.text("a\u202eb\u2066c\u200bd")).isEqualTo("abcd");
    }

    @Test
    void whatIsNoTreeBecomesOneAndACircleIsSaidToBeNone() {
        var pojo = guards.guard(new ToolReply.Ok(Json.MAPPER.createObjectNode().set("in",
                new POJONode(java.util.Map.of("card", "4111111111111111")))));
        assertThat(pojo.reply())
                .hasToString(new ToolReply.Ok(Json.MAPPER.readTree("{\"in\":{\"card\":\"[REDACTED]\"}}"))
                        .toString());
        java.util.Map<String, Object> circle = new java.util.HashMap<>();
        circle.put("me", circle);
        var failed = guards.guard(new ToolReply.Ok(Json.MAPPER.createArrayNode().add(new POJONode(circle))));
        assertThat(((ToolReply.Failed) failed.reply()).error().code()).isEqualTo("E_TOOL_RESULT_INVALID");
    }

    @Test
    void thereIsOneLimitForTheWholeResult() {
        Guards small = new Guards("{\"maxContentLength\": 1000}");

        JsonNode output = small.json("{\"a\":\"" + "x".repeat(3000) + "\",\"b\":\"" + "y".repeat(2000)
                + "\",\"c\":\"short\",\"n\":[1,2,3]}");

        assertThat(characters(output).length()).isBetween(950, 1000);
        assertThat(output.path("c").stringValue()).isEqualTo("short");
        assertThat(output.path("n")).hasToString("[1,2,3]");
        assertThat(output.path("a").stringValue().length()).isEqualTo(output.path("b").stringValue().length());
    }

    @Test
    void aRawExceptionTellsNoPassword() {
        assertThat(guards.error("connect jdbc:pg://h/db?user=a&password=hunter2 failed; pwd=abc1"))
                .doesNotContain("hunter2", "abc1").contains("connect", "failed");
        assertThat(guards.error("Server=db;User Id=sa;Password=Sup3r!;")).doesNotContain("Sup3r").contains("Server=db");
        assertThat(guards.error("redis://default:s3cr3tpw@cache:6379 refused"))
                .isEqualTo("redis://default:[REDACTED]@cache:6379 refused");
        assertThat(guards.error("password: must be longer")).isEqualTo("password: must be longer");
    }
}
