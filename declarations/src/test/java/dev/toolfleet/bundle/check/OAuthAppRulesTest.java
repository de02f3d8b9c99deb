package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class OAuthAppRulesTest {
    private static final String COMPLETE = """
            spec:
              provider: chat
              flow: authorizationCode
              subjectMode: user
              client:
                clientId: {valueFrom: {env: CHAT_ID}}
                clientSecret: {valueFrom: {env: CHAT_SECRET}}
              endpoints: {authorizationUrl: "https://chat.example/auth", tokenUrl: "https://chat.example/token"}
              scopes: ["chat:write"]
              redirect: {callbackPath: /oauth/callback}
              options: {prompt: consent}
            """;

    /// A line of the complete one is replaced by the case's text.
    static Stream<Case> apps() {
        return Stream.of(
                Case.error("an OAuthApp has a provider", "  provider: chat|", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.provider", "missing"),
                Case.error("an OAuthApp has a flow", "  flow: authorizationCode|", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.flow", "missing"),
                Case.error("a flow that is not supported is refused", "flow: authorizationCode|flow: deviceCode",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.flow", "deviceCode"),
                Case.error("an OAuthApp says whose grants it holds", "subjectMode: user|subjectMode: team",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.subjectMode", "one of global, user"),
                Case.error("an OAuthApp has a client id", "    clientId: {valueFrom: {env: CHAT_ID}}|",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.client.clientId", "missing"),
                Case.error("an OAuthApp has a client secret", "    clientSecret: {valueFrom: {env: CHAT_SECRET}}|",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.client.clientSecret", "missing"),
                Case.error("the flow needs its endpoints", ", tokenUrl: \"https://chat.example/token\"|",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.endpoints.tokenUrl", "missing"),
                Case.error("an endpoint is an address", "https://chat.example/auth|chat.example/auth",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.endpoints.authorizationUrl", "must be an address"),
                Case.error("an OAuthApp has a scope", "scopes: [\"chat:write\"]|scopes: []",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.scopes", "at least one scope"),
                Case.error("scopes of an OAuthApp are texts", "scopes: [\"chat:write\"]|scopes: [1]",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.scopes[0]", "is 1"),
                Case.error("a callback path begins with a slash", "/oauth/callback|oauth",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.redirect.callbackPath", "begin with '/'"),
                Case.error("options are a mapping", "{prompt: consent}|consent", ProblemCode.E_CONFIG_SCHEMA_INVALID,
                        "spec.options", "mapping"));
    }

    @ParameterizedTest
    @MethodSource("apps")
    void everyRuleOfAnOAuthAppIsReported(Case row) {
        String[] change = row.text().split("\\|", -1);
        assertThat(COMPLETE).contains(change[0]);

        row.verify(Checked.yaml(document("toolfleet.dev/v1", COMPLETE.replace(change[0], change[1]))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"toolfleet.dev/v1", "agents.example.io/v1alpha1"})
    void aCompleteOneIsValidAndNotActedOn(String apiVersion) {
        assertThat(Checked.yaml(document(apiVersion, COMPLETE)).problems()).extracting(BundleProblem::code)
                .containsExactly(ProblemCode.E_CONFIG_NOT_ACTED_ON);
    }

    private static String document(String apiVersion, String spec) {
        return "apiVersion: " + apiVersion + "\nkind: OAuthApp\nmetadata: {name: chat}\n" + spec;
    }
}
