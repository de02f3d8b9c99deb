package dev.toolfleet.worker.guard;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ToolError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;

class IssuedTokensTest {
    private static final String TOKEN = "gho+Zk3/q9.Lw7Tx2-Vb8_Np4Rc6Ya1";

    private final IssuedTokens tokens = new IssuedTokens();

    @Test
    void tokenIsFoundInEachFormInWhichItTravels() {
        tokens.add(TOKEN);
        byte[] bytes = TOKEN.getBytes(StandardCharsets.UTF_8);

        assertThat(found("Bearer " + TOKEN + "!")).isTrue();
        assertThat(found(TOKEN)).isTrue();
        assertThat(found("gho%2BZk3%2Fq9.Lw7Tx2-Vb8_Np4Rc6Ya1")).isTrue();
        assertThat(found(HexFormat.of().formatHex(bytes))).isTrue();
        assertThat(found(Base64.getEncoder().encodeToString(("user:" + TOKEN).getBytes(StandardCharsets.UTF_8))))
                .isTrue();
        assertThat(found("Bearer " + TOKEN.substring(1))).isFalse();
        assertThat(found("nothing of that kind in this text")).isFalse();
    }

    @Test
    void newestTokensAreRemembered() {
        for (int i = 0; i <= IssuedTokens.MOST; i++)
            tokens.add("token-with-a-number-" + i + "-behind-it");

        assertThat(found("token-with-a-number-0-behind-it")).isFalse();
        assertThat(found("token-with-a-number-1-behind-it")).isTrue();
        assertThat(found("token-with-a-number-" + IssuedTokens.MOST + "-behind-it")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "aaaaaaaaaaaaaaaaaaaaaaaa"})
    void whatCannotBeRecognizedIsLeftOut(String token) {
        tokens.add(token);

        assertThat(found("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa short")).isFalse();
    }

    // Otherwise: a client's error that quotes its request shows the token to the model, and to everybody who reads errors.
    @Test
    void resultsAndErrorsShowNoToken() {
        FleetGuard guard = new FleetGuard(() -> FleetResources.EMPTY, new FleetSecrets(Map.of(), Map.of()), tokens,
                1 << 20);
        tokens.add(TOKEN);
        ResultGuard.GuardedCall call = new ResultGuard.GuardedCall("acme__read", "coder", null);

        assertThat(guard.guard(call, new ToolReply.Ok(StringNode.valueOf("sent " + TOKEN))).reply().toString())
                .doesNotContain(TOKEN).contains("REDACTED");
        assertThat(guard.guard(call, new ToolReply.Failed(new ToolError("E_X", null, "401 for " + TOKEN, null, null)))
                .reply().toString()).doesNotContain(TOKEN).contains("REDACTED");
    }

    // Otherwise: the address that a person opens names a client "[REDACTED]", and the server refuses it.
    @Test
    void idOfAnOAuthClientIsNoSecretAndItsSecretIs() {
        ResourceTable table = new ResourceTable();
        ObjectNode app = (ObjectNode) Json.MAPPER.readTree("""
                {"apiVersion":"toolfleet.dev/v1","kind":"OAuthApp","metadata":{"name":"chat"},"spec":{"client":{
                  "clientId":{"valueFrom":{"env":"CHAT_APP"}},"clientSecret":{"valueFrom":{"env":"CHAT_WORD"}}}}}
                """);
        RevisionPlan.of("acme", List.of(new RevisionPlan.Declared(app, Map.of())), table).entries()
                .forEach(entry -> table.apply(entry.key(), entry.value()));
        FleetGuard guard = new FleetGuard(table::view, new FleetSecrets(Map.of(),
                Map.of("CHAT_APP", "client-of-the-fleet", "CHAT_WORD", "word-of-the-client")), tokens, 1 << 20);

        assertThat(guard.guard(new ResultGuard.GuardedCall("acme__read", "coder", null), new ToolReply.Ok(
                StringNode.valueOf("?client_id=client-of-the-fleet&word-of-the-client"))).reply().toString())
                .contains("client_id=client-of-the-fleet").doesNotContain("word-of-the-client");
    }

    // Otherwise: each token leaves an entry behind, and all entries are copied for the next.
    @Test
    void memoryHasABound() {
        for (int i = 0; i < 2 * IssuedTokens.MOST; i++)
            tokens.add("token-with-some-length-" + i + "-" + Integer.toHexString(i * 31));
        int before = tokens.ends();
        for (int i = 0; i < IssuedTokens.MOST; i++)
            tokens.add("other-token-of-a-length-" + i + "-" + Integer.toHexString(i * 37));

        assertThat(tokens.ends()).isLessThanOrEqualTo(before + IssuedTokens.MOST / 10);
    }

    private boolean found(String text) {
        Spans spans = new Spans();
        tokens.find(text, spans);
        return !spans.isEmpty();
    }
}
