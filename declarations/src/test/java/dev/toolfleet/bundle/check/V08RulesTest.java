package dev.toolfleet.bundle.check;

import java.util.stream.Stream;

import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/// The rules of `agents.example.io/v1alpha1` beside those that both versions share.
class V08RulesTest {
    private static final String API = "apiVersion: agents.example.io/v1alpha1\n";
    private static final String APP = API + """
            kind: OAuthApp
            metadata: {name: chat-bot}
            spec:
              provider: chat
              flow: authorizationCode
              subjectMode: global
              client:
                clientId: {valueFrom: {env: CHAT_ID}}
                clientSecret: {valueFrom: {env: CHAT_SECRET}}
              endpoints: {authorizationUrl: "https://chat.example/auth", tokenUrl: "https://chat.example/token"}
              scopes: ["chat:write", "rooms:read"]
              redirect: {callbackPath: /oauth/callback/chat-bot}
            """;
    private static final String EXPORTS = "exports: [{name: chat.post, description: Posts}]\n";

    static Stream<Case> tools() {
        return Stream.of(
                Case.error("v0.8: a Tool needs an entry", "runtime: node\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entry", "missing"),
                Case.error("v0.8: exports are not empty", "runtime: node\nentry: ./x.js\nexports: []\n",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports", "at least one"),
                Case.error("v0.8: a script says its runtime", "entry: ./x.js\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.runtime", "runtime: node"),
                Case.error("v0.8: there is one runtime", "runtime: python\nentry: ./x.js\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.runtime", "no runtime 'python'"),
                Case.error("v0.8: a script must exist", "runtime: node\nentry: ./x.js\n" + EXPORTS,
                        ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, "spec.entry", "does not exist"),
                Case.error("v0.8: a limit is positive", "entry: java:a.B\nerrorMessageLimit: 0\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.errorMessageLimit", "positive whole number"),
                Case.error("v0.8: an export's name has its letters", "entry: java:a.B\nexports: [{name: chat/post}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "may hold only"),
                Case.hint("v0.8: upper case is unusual", "entry: java:a.B\nexports: [{name: chat.postMessage}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "upper-case"),
                Case.hint("v0.8: a name has a namespace", "entry: java:a.B\nexports: [{name: post}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "no namespace"),
                Case.warning("v0.8: a name fits providers",
                        "entry: java:a.B\nexports: [{name: a." + "x".repeat(63) + "}]\n",
                        ProblemCode.E_CONFIG_INVALID_NAME, "spec.exports[0].name", "65 characters"),
                Case.error("v0.8: export names are unique",
                        "entry: java:a.B\nexports: [{name: chat.post}, {name: chat.post}]\n",
                        ProblemCode.E_CONFIG_DUPLICATE_NAME, "spec.exports[1].name", "exists twice"),
                Case.error("v0.8: parameters are a JSON Schema",
                        "entry: java:a.B\nexports: [{name: chat.post, parameters: {type: object, required: a}}]\n",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].parameters.required", "'a'"),
                Case.warning("v0.8: an unknown field is reported", "entry: java:a.B\nautth: {}\n" + EXPORTS,
                        ProblemCode.E_CONFIG_UNKNOWN_FIELD, "spec.autth", "Did you mean auth?"),
                Case.error("auth names an OAuthApp", "entry: java:a.B\nauth: {scopes: [x]}\n" + EXPORTS,
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.auth.oauthAppRef", "missing"),
                Case.error("the OAuthApp exists", "entry: java:a.B\nauth: {oauthAppRef: OAuthApp/chat}\n" + EXPORTS,
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.auth.oauthAppRef", "chat-bot"),
                Case.error("the OAuthApp is one", "entry: java:a.B\nauth: {oauthAppRef: Tool/chat}\n" + EXPORTS,
                        ProblemCode.E_CONFIG_INVALID_REF, "spec.auth.oauthAppRef", "takes the kind OAuthApp"),
                Case.error("a Tool's scopes are the OAuthApp's",
                        "entry: java:a.B\nauth: {oauthAppRef: OAuthApp/chat-bot, scopes: [\"chat:write\", admin]}\n"
                                + EXPORTS,
                        ProblemCode.E_CONFIG_SCOPE_NOT_ALLOWED, "spec.auth.scopes[1]", "chat:write, rooms:read"),
                Case.error("an export's inherited scopes are the OAuthApp's",
                        """
                                entry: java:a.B
                                auth: {oauthAppRef: {kind: OAuthApp, name: chat-bot}}
                                exports: [{name: chat.post, auth: {scopes: [admin]}}]
                                """,
                        ProblemCode.E_CONFIG_SCOPE_NOT_ALLOWED, "spec.exports[0].auth.scopes[0]", "OAuthApp"),
                Case.error("an export does not widen its Tool's scopes",
                        """
                                entry: java:a.B
                                auth: {oauthAppRef: OAuthApp/chat-bot, scopes: ["chat:write"]}
                                exports: [{name: chat.list, auth: {scopes: ["rooms:read"]}}]
                                """,
                        ProblemCode.E_CONFIG_SCOPE_NOT_ALLOWED, "spec.exports[0].auth.scopes[0]",
                        "narrow its Tool's scopes"),
                Case.error("an export has auth only with its Tool",
                        "entry: java:a.B\nexports: [{name: chat.list, auth: {scopes: [\"rooms:read\"]}}]\n",
                        ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.exports[0].auth", "its Tool has none"),
                Case.error("scopes are a list", "entry: java:a.B\nauth: {oauthAppRef: OAuthApp/chat-bot, scopes: all}\n"
                        + EXPORTS, ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.auth.scopes", "must be a list"),
                Case.error("a scope is a text", "entry: java:a.B\nauth: {oauthAppRef: OAuthApp/chat-bot, scopes: [7]}\n"
                        + EXPORTS, ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.auth.scopes[0]", "is 7"));
    }

    static Stream<Case> agents() {
        return Stream.of(
                Case.warning("v0.8: listed twice, the last content counts", "tools: [Tool/one, Tool/other, Tool/one]",
                        ProblemCode.E_CONFIG_DUPLICATE_REF, "spec.tools[2]", "last content"),
                Case.error("v0.8: a name is unique among an agent's tools", "tools: [Tool/one, Tool/two]",
                        ProblemCode.E_CONFIG_DUPLICATE_NAME, "spec.tools[1]", "two tools called chat.post"),
                Case.error("v0.8: selectors are not supported", "tools: [{selector: {matchLabels: {tier: base}}}]",
                        ProblemCode.E_CONFIG_INVALID_REF, "spec.tools[0]", "list the resources themselves"),
                Case.error("a dotted required tool is the agent's", "tools: [Tool/one]\nrequiredTools: [chat.pots]",
                        ProblemCode.E_CONFIG_REF_NOT_FOUND, "spec.requiredTools[0]", "Did you mean chat.post?"));
    }

    @ParameterizedTest
    @MethodSource("tools")
    void everyRuleOfAToolOfV08IsReported(Case row) {
        row.verify(Checked.files("tools.yaml", tool("chat", row.text()), "resources.yaml", APP));
    }

    @ParameterizedTest
    @MethodSource("agents")
    void everyRuleOfAnAgentOfV08IsReported(Case row) {
        row.verify(Checked.files("agents.yaml", agent(row.text()), "tools.yaml",
                tool("one", "entry: java:a.B\nexports: [{name: chat.post}]\n") + "---\n"
                        + tool("two", "entry: java:a.B\nexports: [{name: chat.post}]\n") + "---\n"
                        + tool("other", "entry: java:a.B\nexports: [{name: chat.list}]\n")));
    }

    /// The first seed's own example requests, in an export, a second scope that its Tool does not have.
    @Test
    void theFirstSeedsExampleFailsForItsScopeAndItsMissingFile() {
        BundleReport report = Checked.files("tools.yaml", tool("chatToolkit", """
                runtime: node
                entry: "./tools/chat/index.js"
                errorMessageLimit: 1200
                auth:
                  oauthAppRef: { kind: OAuthApp, name: chat-bot }
                  scopes: ["chat:write"]
                exports:
                  - name: chat.postMessage
                    description: "Posts into a room"
                    parameters:
                      type: object
                      properties: {room: {type: string, description: Where}, text: {type: string, description: What}}
                      required: ["room", "text"]
                    auth: {scopes: ["chat:write"]}
                  - name: chat.listRooms
                    description: "Lists rooms"
                    parameters:
                      type: object
                      properties: {limit: {type: number, description: How many}}
                      required: []
                    auth: {scopes: ["rooms:read"]}
                """), "resources.yaml", APP);

        assertThat(Checked.at(report, Severity.ERROR))
                .extracting(BundleProblem::code, BundleProblem::path, BundleProblem::line)
                .containsExactly(tuple(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND, "spec.entry", 6),
                        tuple(ProblemCode.E_CONFIG_SCOPE_NOT_ALLOWED, "spec.exports[1].auth.scopes[0]", 25));
        assertThat(Checked.at(report, Severity.ERROR).getLast().message()).contains("'rooms:read'", "its Tool",
                "chat:write");
        assertThat(Checked.at(report, Severity.ERROR).getLast().hint()).contains("line 10", "or remove it here");
    }

    @Test
    void aWholeBundleOfV08IsValid() {
        BundleReport report = Checked.files("goondan.yaml", APP, "tools.yaml", tool("chat",
                """
                        runtime: node
                        entry: java:a.B
                        auth: {oauthAppRef: OAuthApp/chat-bot}
                        exports: [{name: chat.post, description: Posts, auth: {scopes: ["chat:write"]}}]
                        """),
                "agents.yaml", agent("tools: [{kind: Tool, name: chat}, Tool/bash]\nrequiredTools: [chat.post]\n"
                        + "prompts: {system: Be kind.}\nhooks: []"),
                "swarms.yaml", document("Swarm", "team", "entrypoint: Agent/talker\nagents: [Agent/talker]"));

        assertThat(report.valid()).as("%s", report.problems()).isTrue();
        assertThat(report.problems()).noneMatch(problem -> problem.code() == ProblemCode.E_CONFIG_UNKNOWN_FIELD);
    }

    // Otherwise: the bundle is valid without a warning, and half of it has no effect.
    @Test
    void whatTheFleetDoesNotActOnIsNamed() {
        BundleReport report = Checked.files("resources.yaml", APP, "tools.yaml", tool("chat", """
                runtime: node
                entry: java:a.B
                auth: {oauthAppRef: OAuthApp/chat-bot}
                exports: [{name: chat.post, description: Posts, auth: {scopes: ["chat:write"]}}]
                """), "agents.yaml",
                agent("tools: [Tool/chat]\nhooks: []\nchangesets: {allowed: {files: [\"prompts/**\"]}}"), "swarms.yaml",
                document("Swarm", "team",
                        "entrypoint: Agent/talker\nagents: [Agent/talker]\npolicy: {liveConfig: {enabled: true}}"));

        assertThat(Checked.at(report, Severity.NOTICE)).filteredOn(
                notice -> notice.code() == ProblemCode.E_CONFIG_NOT_ACTED_ON).extracting(BundleProblem::path)
                .containsExactlyInAnyOrder("spec.hooks", "spec.policy.liveConfig");
    }

    @Test
    void aSwarmOfV08NeedsItsEntrypoint() {
        BundleReport report = Checked.files("agents.yaml", agent("tools: []"), "swarms.yaml",
                document("Swarm", "team", "agents: [Agent/talker]"));

        assertThat(Checked.found(report, Severity.ERROR, ProblemCode.E_CONFIG_SCHEMA_INVALID, "spec.entrypoint"))
                .isTrue();
    }

    private static String tool(String name, String spec) {
        return document("Tool", name, spec);
    }

    private static String agent(String spec) {
        return document("Agent", "talker", spec);
    }

    private static String document(String kind, String name, String spec) {
        return API + "kind: " + kind + "\nmetadata: {name: " + name + "}\nspec:\n" + spec.indent(2);
    }
}
