package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class OAuthAppRulesTest {
    private static final String USER_INFO = ",\n    userInfoUrl: \"https://chat.example/me\"";
    private static final String COMPLETE = """
            spec:
              provider: chat
              flow: authorizationCode
              subjectMode: user
              client:
                clientId: {valueFrom: {env: CHAT_ID}}
                clientSecret: {valueFrom: {env: CHAT_SECRET}}
              endpoints: {authorizationUrl: "https://chat.example/auth", tokenUrl: "https://chat.example/token",
                userInfoUrl: "https://chat.example/me"}
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
                Case.error("a flow that is not supported is refused", "flow: authorizationCode|flow: implicit",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.flow", "deviceCode"),
                Case.error("the device flow needs its endpoint", "flow: authorizationCode|flow: deviceCode",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.endpoints.deviceAuthorizationUrl", "missing"),
                Case.error("tokens travel encrypted", "https://chat.example/token|http://chat.example/token",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.endpoints.tokenUrl", "not encrypted"),
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
                Case.error("a callback path is one of an address", "/oauth/callback|/oauth/callback/a b",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.redirect.callbackPath", "no path of an address"),
                Case.error("a callback path has no query", "/oauth/callback|/oauth/callback?app=1",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.redirect.callbackPath", "no path of an address"),
                Case.warning("a callback arrives at the gateway", "/oauth/callback|/callback",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.redirect.callbackPath", "takes callbacks"),
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
    void aCompleteOneIsValid(String apiVersion) {
        assertThat(Checked.yaml(document(apiVersion, COMPLETE)).problems()).isEmpty();
    }

    @Test
    void personWhoAuthorizesShouldBeKnown() {
        assertThat(Checked.yaml(document("toolfleet.dev/v1", COMPLETE.replace(USER_INFO, ""))).problems())
                .extracting(BundleProblem::code, BundleProblem::path)
                .containsExactly(tuple(ProblemCode.E_CONFIG_SUBJECT_UNCHECKED, "spec.endpoints"));
    }

    // Otherwise: a server that is not honest gets the codes of another.
    @Test
    void appsOfTwoServersShareNoCallback() {
        String other = COMPLETE.replace("chat.example", "other.example");
        String two = document("toolfleet.dev/v1", COMPLETE) + "---\n"
                + document("toolfleet.dev/v1", other).replace("name: chat", "name: other");
        assertThat(Checked.yaml(two).problems()).extracting(BundleProblem::severity, BundleProblem::path)
                .containsExactly(tuple(Severity.WARNING, "spec.redirect.callbackPath"),
                        tuple(Severity.WARNING, "spec.redirect.callbackPath"));
        String issuers = two.replace("/me\"}", "/me\", issuer: \"x\"}");
        assertThat(Checked.yaml(issuers).problems()).isEmpty();
        assertThat(Checked.yaml(two.replace("other.example/token", "chat.example/token")).problems())
                .as("one server").isEmpty();
    }

    @Test
    void deviceFlowNeedsNeitherSecretNorCallback() {
        String device = COMPLETE.replace("authorizationCode", "deviceCode")
                .replace("    clientSecret: {valueFrom: {env: CHAT_SECRET}}\n", "")
                .replace("authorizationUrl", "deviceAuthorizationUrl")
                .replace("  redirect: {callbackPath: /oauth/callback}\n", "");

        assertThat(Checked.yaml(document("toolfleet.dev/v1", device)).problems()).isEmpty();
    }

    private static String document(String apiVersion, String spec) {
        return "apiVersion: " + apiVersion + "\nkind: OAuthApp\nmetadata: {name: chat}\n" + spec;
    }
}
