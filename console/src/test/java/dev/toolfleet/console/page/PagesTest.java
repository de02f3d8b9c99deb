package dev.toolfleet.console.page;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.Timing;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Pages of a gateway without principals.
class PagesTest {
    private final TestConsole console = new TestConsole(Map.of());

    @AfterEach
    void close() {
        console.close();
    }

    private CallId ended(String id, String tool, JsonNode output) {
        ToolCall call = TestConsole.call(id, tool, "i1", "{\"command\":\"ls\"}");
        return console.reads.ended(call, new ToolResult(id, tool, ResultStatus.OK, output, null, null, "i1", "coder",
                "t1", "s1", 1, false, "sha256:f", 0, new Timing(20, 300, 400, 30L, 40L), null));
    }

    /// The worker's question, as it stands in the pending output.
    private static JsonNode question(ToolCall call) {
        return Json.MAPPER.createObjectNode().set("arguments", call.args());
    }

    private PendingCall waiting(String handle, int hidden) {
        ToolCall call = TestConsole.call("c-" + handle, "bash__exec", "i1", "{\"command\":\"rm -r build\"}");
        PendingCall pending = new PendingCall(handle, PendingCall.Kind.APPROVAL, call, 0, 0, null, question(call),
                TestConsole.NOW.plusSeconds(600), null, null, TestConsole.NOW, null,
                new Approval("p/ask", List.of("p/ask"), "deletes files", "sha256:f", null, hidden, null), null);
        CallId id = console.reads.waits(call, CallStage.APPROVAL, CallWait.of(pending));
        PendingCall placed = new PendingCall(handle, PendingCall.Kind.APPROVAL, call, 0, id.offset(), null,
                question(call),
                TestConsole.NOW.plusSeconds(600), null, null, TestConsole.NOW, null, pending.approval(), null);
        console.fleet.pending.put(handle, placed);
        return placed;
    }

    @Test
    void everySectionAnswersWithAPageThatRunsItsOwnScriptsOnly() {
        ended("c1", "bash__exec", Json.MAPPER.getNodeFactory().stringNode("ok"));
        for (Section section : Section.values()) {
            HttpResponse<String> page = console.get(section.path());

            assertThat(page.statusCode()).as(section.path()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Security-Policy")).get().asString()
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(page.body()).as(section.path()).contains("<h1>" + section.label() + "</h1>")
                    .contains("href=\"" + section.path() + "\"").doesNotContain("<script>").doesNotContain(" style=")
                    .doesNotContainPattern(" on[a-z]+=");
        }
    }

    @Test
    void hostileTextsStayText() {
        CallId id = ended("\"><img src=x onerror=alert(1)>", "<script>alert(2)</script>",
                Json.MAPPER.getNodeFactory().stringNode("<script>alert(3)</script> \u202Egnp.exe \u200B"));
        String page = console.get("/console/calls/" + id).body();
        String list = console.get("/console/calls").body();

        for (String body : List.of(page, list))
            assertThat(body).doesNotContain("<script>alert").doesNotContain("<img src=x").contains("&lt;script&gt;");
        assertThat(page).contains("⟨U+202E⟩gnp.exe ⟨U+200B⟩").doesNotContain("\u202E");
    }

    @Test
    void aLongOutputIsCutOnThePageAndWholeAsText() {
        String line = "x".repeat(1_000_000);
        CallId id = ended("c1", "bash__exec", Json.MAPPER.getNodeFactory().stringNode(line));

        assertThat(console.get("/console/calls/" + id).body()).hasSizeLessThan(60_000)
                .contains("980,000 more characters");
        HttpResponse<String> whole = console.get("/console/calls/" + id + "/output");
        assertThat(whole.body()).isEqualTo(line);
        assertThat(whole.headers().firstValue("Content-Type")).get().asString().startsWith("text/plain");
        assertThat(whole.headers().firstValue("Content-Security-Policy")).get().asString().contains("sandbox");
        assertThat(whole.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    void theListSelectsByItsAddressAndContinuesWithOlderCalls() {
        for (int i = 0; i < 60; i++)
            ended("call-" + i, i % 2 == 0 ? "even__tool" : "odd__tool", Json.MAPPER.nullNode());

        String first = console.get("/console/calls?tool=even__*").body();
        assertThat(first).contains("call-58", "call-0<").doesNotContain("call-59");
        String all = console.get("/console/calls").body();
        assertThat(all).contains("call-59").doesNotContain("call-9<").contains("Older calls");
        String older = all.replaceAll("(?s).*href=\"(/console/calls\\?after=[^\"]+)\".*", "$1");
        assertThat(console.get(older).body()).contains("call-9<", "call-0<").doesNotContain("call-59");
    }

    @Test
    void aSelectionThatCannotBeUsedNamesTheFieldAndTheWayOut() {
        HttpResponse<String> page = console.get("/console/calls?state=lost");

        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains("is 'lost'; one of open, ok, error");
    }

    @Test
    void theTimelineHasABarForEachStage() {
        CallId id = ended("c1", "bash__exec", Json.MAPPER.getNodeFactory().stringNode("ok"));

        assertThat(console.get("/console/calls/" + id).body()).contains("queued", "checks", "slot", "handler", "guard",
                "commit", "20 ms", "30 ms", "40 ms", "300 ms", "10 ms");
    }

    @Test
    void theNoticeToTheModelStandsBesideTheResult() {
        ToolCall call = TestConsole.call("c1", "bash__exec", "i1", "{}");
        CallId id = console.reads.ended(call, new ToolResult("c1", "bash__exec", ResultStatus.OK,
                Json.MAPPER.getNodeFactory().stringNode("ok"), null, null, "i1", "coder", "t1", "s1", 1, false,
                "sha256:f", 0, null, null, "It ended so 10 times <b>."));

        assertThat(console.get("/console/calls/" + id).body())
                .contains("For the model: <bdi>It ended so 10 times &lt;b&gt;.");
    }

    @Test
    void aPersonApprovesOneCallInTheInbox() {
        waiting("h1", 0);
        waiting("h2", 0);
        assertThat(console.get("/console/approvals").body()).contains("rm -r build", "deletes files", "p/ask");

        HttpResponse<String> sent = console.post("/console/approvals", Map.of("one", "approve h1", "reason", "fine"));

        assertThat(sent.statusCode()).isEqualTo(303);
        assertThat(console.fleet.decisions).singleElement().satisfies(decision -> {
            assertThat(decision.handle()).isEqualTo("h1");
            assertThat(decision.decision().text()).isEqualTo("approve");
            assertThat(decision.by()).isEqualTo("console");
            assertThat(decision.reason()).isEqualTo("fine");
        });
    }

    @Test
    void aCallThatIsNotShownWholeIsApprovedOnlyDespiteThat() {
        waiting("h1", 2);

        HttpResponse<String> refused = console.post("/console/approvals", Map.of("one", "approve h1"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(console.fleet.decisions).isEmpty();

        console.post("/console/approvals", Map.of("one", "approve h1", "despiteHidden", "h1"));
        assertThat(console.fleet.decisions).hasSize(1);
    }

    @Test
    void argumentsThatAreTooLongForThePageAreApprovedOnlyDespiteThat() {
        String long_ = "{\"command\":\"" + "x".repeat(30_000) + "; rm -rf /\"}";
        ToolCall call = TestConsole.call("long", "bash__exec", "i1", long_);
        PendingCall pending = new PendingCall("h9", PendingCall.Kind.APPROVAL, call, 0, 0, null,
                question(call), TestConsole.NOW.plusSeconds(600), null, null, TestConsole.NOW, null,
                new Approval("p/ask", List.of("p/ask"), "looks at it", "sha256:f", null, 0, null), null);
        console.fleet.pending.put("h9", pending);

        assertThat(console.get("/console/approvals").body()).doesNotContain("rm -rf /");
        assertThat(console.get("/console/approvals/h9/arguments").body()).contains("; rm -rf /");
        assertThat(console.post("/console/approvals", Map.of("one", "approve h9")).statusCode()).isEqualTo(400);
        assertThat(console.fleet.decisions).isEmpty();
    }

    @Test
    void severalCallsAreDecidedAndEachIsReported() {
        waiting("h1", 0);
        waiting("h2", 3);
        String csrf = console.get("/console/approvals").body()
                .replaceAll("(?s).*?name=\"csrf\" value=\"([^\"]+)\".*", "$1");

        HttpResponse<String> sent = console.form("/console/approvals",
                "csrf=" + csrf + "&verdict=approve&handle=h1&handle=h2");

        assertThat(sent.statusCode()).isEqualTo(422);
        assertThat(sent.body()).contains("h1: approved", "h2: A part of what would run is hidden");
        assertThat(console.fleet.decisions).hasSize(1);
    }

    @Test
    void cancellingAListNamesTheCallsFirstAndCancelsTheseOnly() {
        CallId first = console.reads.accepted(TestConsole.call("a", "bash__exec", "i1", "{}"));
        ended("b", "bash__exec", Json.MAPPER.nullNode());

        String preview = console.post("/console/calls/cancel", Map.of("tool", "bash__*")).body();
        assertThat(preview).contains("1 open call would be cancelled", "Nothing has been cancelled yet")
                .contains("value=\"" + first + "\"");
        assertThat(console.commands.done).isEmpty();

        console.reads.accepted(TestConsole.call("later", "bash__exec", "i1", "{}"));
        console.post("/console/calls/cancel/confirmed", Map.of("ids", first.toString(), "reason", "stuck"));
        assertThat(console.commands.done).containsExactly("cancel [" + first + "] by console");
    }

    @Test
    void aFormWithoutTheSessionsTextChangesNothing() {
        waiting("h1", 0);
        console.get("/console/approvals");

        HttpResponse<String> without = console.form("/console/approvals", "one=approve+h1");
        HttpResponse<String> wrong = console.form("/console/approvals", "csrf=AAAAAAAAAAAAAAAAAAAAAA&one=approve+h1");

        assertThat(without.statusCode()).isEqualTo(403);
        assertThat(wrong.statusCode()).isEqualTo(403);
        assertThat(console.fleet.decisions).isEmpty();
    }

    @Test
    void aFormOfAnotherSiteIsRejected() {
        HttpResponse<String> sent = console.form("/console/approvals", "one=approve+h1", "Origin",
                "https://evil.example");

        assertThat(sent.statusCode()).isEqualTo(403);
        assertThat(console.fleet.decisions).isEmpty();
    }

    @Test
    void deadLettersAreSentAgainAfterADryRun() {
        String dry = console.post("/console/dead-letters", Map.of("disposal", "replay", "address", "3:17")).body();
        assertThat(dry).contains("Nothing has been changed yet", "would REPLAY [3:17]");

        console.post("/console/dead-letters", Map.of("disposal", "replay", "address", "3:17", "confirmed", "true"));
        assertThat(console.commands.done).containsExactly("would REPLAY [3:17] by console",
                "REPLAY [3:17] by console");
    }

    @Test
    void thePolicyShowsItsStages() {
        assertThat(console.get("/console/policy?tool=bash__exec&agent=coder").body())
                .contains("default policy", "nothing denies it", "toolfleet policy explain bash__exec --agent coder");
        assertThat(console.get("/console/policy?tool=bash__exec&args=%5B1%5D").statusCode()).isEqualTo(400);
    }

    @Test
    void theExplanationIsAPartThatThePageLoads() {
        CallId id = console.reads.accepted(TestConsole.call("a", "bash__exec", "i1", "{}"));

        assertThat(console.get("/console/calls/" + id).body()).contains("hx-get=\"/console/calls/" + id + "/explain\"");
        assertThat(console.get("/console/calls/" + id + "/explain").body()).contains("It is about to run",
                "accepted &lt;b&gt;", "→ Wait.").doesNotContain("<html");
    }

    @Test
    void theExplanationNamesTheLabelsOfTheInstanceWithTheCallsThatAddedThem() {
        CallId id = console.reads.accepted(TestConsole.call("a", "bash__exec", "i1", "{}"));

        String part = console.get("/console/calls/" + id + "/explain").body().replaceAll("\\s*\\n\\s*", " ");

        assertThat(part).contains(
                "<code>untrusted</code>, added by <bdi>web__read</bdi>, call "
                        + "<a href=\"/console/calls/2-17\"><bdi>&lt;c9&gt;</bdi></a> </li>",
                "<code>sensitive</code>, added by <bdi>vault__read</bdi>, call <bdi>c3</bdi> of instance <bdi>i2</bdi> </li>");
    }

    @Test
    void anIdThatIsNoneIsAPageToo() {
        HttpResponse<String> page = console.get("/console/calls/nonsense");

        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.headers().firstValue("Content-Type")).get().asString().startsWith("text/html");
        assertThat(console.get("/console/calls/0-999").statusCode()).isEqualTo(404);
    }

    @Test
    void timesAreInTwoUnits() {
        assertThat(List.of(SpanText.of(Duration.ofMillis(320)), SpanText.of(Duration.ofMillis(4_200)),
                SpanText.of(Duration.ofSeconds(200)), SpanText.of(Duration.ofMinutes(125)),
                SpanText.of(Duration.ofHours(76)))).containsExactly("320 ms", "4.2 s", "3 min 20 s", "2 h 5 min",
                        "3 d 4 h");
    }
}
