package dev.toolfleet.console.page;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Sign-in, and the pages that each role sees.
class RolesTest {
    private final TestConsole console = new TestConsole(principals());
    private final CallId call = ended();

    private static Map<String, String> principals() {
        Map<String, String> all = new HashMap<>();
        all.putAll(TestConsole.principal("watcher", "fleet:read"));
        all.putAll(TestConsole.principal("approver", "approvals:decide"));
        all.putAll(TestConsole.principal("caller", "tools:call"));
        all.putAll(TestConsole.principal("operator", "fleet:read,fleet:operate,tools:call"));
        all.putAll(TestConsole.principal("other", "tools:call"));
        all.put("other.instances", "theirs-*");
        all.putAll(TestConsole.principal("bounded", "fleet:read,fleet:operate,tools:list"));
        all.put("bounded.agents", "coder");
        return all;
    }

    private CallId ended() {
        ToolCall made = TestConsole.call("c1", "vault__read", "i1", "{\"name\":\"the-argument\"}");
        return console.reads.ended(made, new ToolResult("c1", "vault__read", ResultStatus.OK,
                Json.MAPPER.getNodeFactory().stringNode("the-secret-output"), null, null, "i1", "coder", "t1", "s1", 1,
                false, null, 0, null, null));
    }

    @AfterEach
    void close() {
        console.close();
    }

    @Test
    void aBrowserThatIsNotSignedInIsLedToTheSignInAndBack() {
        HttpResponse<String> page = console.get("/console/calls?state=open");
        assertThat(page.statusCode()).isEqualTo(303);
        assertThat(page.headers().firstValue("Location"))
                .contains("/console/sign-in?to=%2Fconsole%2Fcalls%3Fstate%3Dopen");

        HttpResponse<String> in = console.form("/console/sign-in",
                "token=caller-token-0123456789&to=%2Fconsole%2Fcalls%3Fstate%3Dopen");
        assertThat(in.statusCode()).isEqualTo(303);
        assertThat(in.headers().firstValue("Location")).contains("/console/calls?state=open");
        assertThat(in.headers().firstValue("Set-Cookie")).get().asString().contains("HttpOnly", "SameSite=Lax")
                .doesNotContain("caller-token");
        assertThat(console.get("/console/calls").statusCode()).isEqualTo(200);
    }

    @Test
    void aWrongTokenSignsNoOneIn() {
        HttpResponse<String> in = console.form("/console/sign-in", "token=guess");

        assertThat(in.statusCode()).isEqualTo(401);
        assertThat(in.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(in.body()).contains("This token is none of a principal of this gateway");
        assertThat(console.get("/console/calls").statusCode()).isEqualTo(303);
    }

    @Test
    void theSignInLeadsToNoOtherSite() {
        for (String to : new String[]{"https://evil.example/", "//evil.example/console", "/console/..//evil.example",
                "/console\\evil", "/v1/agents"}) {
            HttpResponse<String> in = console.form("/console/sign-in", "token=caller-token-0123456789&to="
                    + URLEncoder.encode(to, StandardCharsets.UTF_8));
            assertThat(in.headers().firstValue("Location")).as(to).contains("/console");
        }
    }

    @Test
    void signingOutEndsTheSession() {
        console.signIn("caller");
        assertThat(console.post("/console/sign-out", Map.of()).statusCode()).isEqualTo(303);

        assertThat(console.get("/console/calls").statusCode()).isEqualTo(303);
    }

    @Test
    void aChangedCookieIsNoSession() {
        console.signIn("caller");
        assertThat(console.get("/console/calls").statusCode()).isEqualTo(200);
        console.forgetCookies();

        assertThat(console.get("/console/calls").statusCode()).isEqualTo(303);
    }

    @Test
    void theApiTakesNoCookie() {
        console.signIn("operator");

        assertThat(console.get("/v1/calls").statusCode()).isEqualTo(401);
    }

    @Test
    void argumentsAndResultsAreNeverSentToARoleThatMayNotReadThem() {
        console.signIn("watcher");

        String page = console.get("/console/calls/" + call).body();
        assertThat(page).contains("vault__read", "Not shown").doesNotContain("the-argument", "the-secret-output");
        assertThat(console.get("/console/live/call/" + call + "?").statusCode()).isEqualTo(200);
        assertThat(console.get("/console/calls/" + call + "/output").statusCode()).isEqualTo(403);
        assertThat(console.get("/console/calls/" + call + "/arguments").body()).doesNotContain("the-argument");
        assertThat(console.get("/console/dead-letters/0:1").statusCode()).isEqualTo(403);
    }

    @Test
    void textsOfAFailedCallAreNotSentEither() {
        ToolCall made = TestConsole.call("c2", "vault__read", "i1", "{}");
        CallId failed = console.reads.ended(made, new ToolResult("c2", "vault__read", ResultStatus.ERROR, null, null,
                new ToolError("E_TOOL", "ToolError", "the-secret-message", "the-secret-advice", null), "i1", "coder",
                "t1", "s1", 1, false, null, 1, null, null));
        console.signIn("watcher");

        for (String path : new String[]{"/console/calls/" + failed, "/console/live/call/" + failed})
            assertThat(console.get(path).body()).contains("E_TOOL").doesNotContain("the-secret-message",
                    "the-secret-advice");
        console.signIn("caller");
        assertThat(console.get("/console/calls/" + failed).body()).contains("the-secret-message");
    }

    @Test
    void aPersonForSomeAgentsNeitherSwitchesToolsNorReadsThePolicy() {
        console.signIn("bounded");

        assertThat(console.post("/console/tools/switch", Map.of("pattern", "*", "period", "24h")).statusCode())
                .isEqualTo(403);
        assertThat(console.get("/console/policy?tool=bash__exec&agent=other").statusCode()).isEqualTo(403);
        assertThat(console.get("/console/live/denials").statusCode()).isEqualTo(403);
        assertThat(console.get("/console/fleet").statusCode()).isEqualTo(403);
        assertThat(console.get("/console/calls").body()).doesNotContain(">Policy</a>", ">Fleet</a>", ">Now</a>");
        assertThat(console.commands.done).isEmpty();
    }

    @Test
    void aSessionThatIsOverEndsLivePartsWithAnEvent() {
        HttpResponse<String> part = console.live("/console/live/calls");

        assertThat(part.statusCode()).isEqualTo(200);
        assertThat(part.headers().firstValue("Content-Type")).get().asString().startsWith("text/event-stream");
        assertThat(part.body()).startsWith("event: signed-out\n");
    }

    @Test
    void largeAndForeignFormsAreRefusedBeforeTheyAreRead() {
        HttpResponse<String> large = console.form("/console/sign-in", "token=" + "x".repeat(20_000));
        HttpResponse<String> multipart = console.form("/console/sign-in", "--b\r\n\r\n--b--", "Content-Type",
                "multipart/form-data; boundary=b");

        assertThat(large.body()).contains("more than 16384 bytes");
        assertThat(multipart.body()).contains("A form of type application/x-www-form-urlencoded is expected");
        assertThat(multipart.statusCode()).isEqualTo(401);
    }

    @Test
    void aCallerReadsThem() {
        console.signIn("caller");

        assertThat(console.get("/console/calls/" + call).body()).contains("the-argument", "the-secret-output");
    }

    @Test
    void aCallOfAnotherInstanceIsUnknown() {
        console.signIn("other");

        assertThat(console.get("/console/calls/" + call).statusCode()).isEqualTo(404);
        assertThat(console.get("/console/calls").body()).doesNotContain("vault__read");
        HttpResponse<String> front = console.get("/console");
        assertThat(front.statusCode()).isEqualTo(303);
        assertThat(front.headers().firstValue("Location")).contains("/console/calls");
    }

    @Test
    void sectionsAndActionsFollowTheScopes() {
        console.signIn("approver");
        String approver = console.get("/console/approvals").body();
        assertThat(approver).contains(">Approvals</a>").doesNotContain(">Fleet</a>", ">Calls</a>");
        assertThat(console.get("/console/fleet").statusCode()).isEqualTo(403);

        console.signIn("watcher");
        assertThat(console.get("/console/calls").body()).doesNotContain("Cancel the open calls");
        assertThat(console.post("/console/calls/cancel", Map.of()).statusCode()).isEqualTo(403);
        assertThat(console.post("/console/tools/switch", Map.of("pattern", "bash__exec", "period", "1h"))
                .statusCode()).isEqualTo(403);
        assertThat(console.post("/console/dead-letters", Map.of("disposal", "discard", "address", "0:1"))
                .statusCode()).isEqualTo(403);
        assertThat(console.commands.done).isEmpty();
    }

    @Test
    void anActionCarriesThePersonsName() {
        console.signIn("operator");
        console.post("/console/tools/switch", Map.of("pattern", "bash__exec", "period", "1h"));

        assertThat(console.commands.done).containsExactly("deny bash__exec for PT1H by operator");
    }
}
