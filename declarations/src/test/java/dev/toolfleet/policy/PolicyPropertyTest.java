package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import dev.toolfleet.bundle.Verdict;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/// Two bundles, rules of any kind in both, and every tool and caller.
class PolicyPropertyTest {
    private static final List<String> TOOLS = List.of("market__quote", "market__sell", "market__account", "box__plain",
            "box__remove", "box__get_stock_price");
    private static final List<PolicyCaller> CALLERS = List.of(Fleet.CODER, Fleet.caller("u2", "c1"),
            Fleet.caller(null, "c2"), new PolicyCaller("u1", "c1", "writer"), new PolicyCaller("u1", null, "stranger"),
            new PolicyCaller(null, null, null));
    private static final String WRITER = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: writer}
            spec: {tools: []}
            """;

    /// The documents of two bundles.
    record Bundles(String reach, String defaults, List<String> rules, List<String> elsewhere) {
        Fleet fleet() {
            Fleet fleet = elsewhere.isEmpty()
                    ? Fleet.acme()
                    : Fleet.acme(document("p", elsewhere, "reach: bundle\n", defaults));
            return rules.isEmpty()
                    ? fleet.bundle("team", WRITER)
                    : fleet.bundle("team", WRITER + "---\n" + document("q", rules, reach, ""));
        }

        Bundles with(String rule, boolean inTeam) {
            return inTeam
                    ? new Bundles(reach, defaults, plus(rules, rule), elsewhere)
                    : new Bundles(reach, defaults, rules, plus(elsewhere, rule));
        }

        Bundles shuffled(Random random) {
            return new Bundles(reach, defaults, shuffle(rules, random), shuffle(elsewhere, random));
        }

        private static String document(String name, List<String> rules, String reach, String defaults) {
            return Fleet.policyOf(name, reach + defaults + "rules:\n  - " + String.join("\n  - ", rules));
        }

        private static List<String> plus(List<String> rules, String rule) {
            List<String> more = new ArrayList<>(rules);
            more.add(rule);
            return more;
        }

        private static List<String> shuffle(List<String> rules, Random random) {
            List<String> shuffled = new ArrayList<>(rules);
            Collections.shuffle(shuffled, random);
            return shuffled;
        }
    }

    @Property(seed = "17", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void addingADenyNeverMakesAVerdictMilder(@ForAll("bundles") Bundles bundles, @ForAll("denials") String denial,
            @ForAll boolean inTeam) {
        List<PolicyDecision> before = ask(bundles.fleet());
        List<PolicyDecision> after = ask(bundles.with(denial, inTeam).fleet());

        for (int i = 0; i < before.size(); i++) {
            assertThat(verdict(after.get(i))).as("%s", before.get(i)).isGreaterThanOrEqualTo(verdict(before.get(i)));
        }
    }

    @Property(seed = "18", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void theOrderOfRulesInAFileChangesNothing(@ForAll("bundles") Bundles bundles, @ForAll Random random) {
        Fleet shuffled = bundles.shuffled(random).fleet();

        assertThat(ask(shuffled)).isEqualTo(ask(bundles.fleet()));
        assertThat(shuffled.policy().digest()).isEqualTo(bundles.fleet().policy().digest());
    }

    /// One policy for each rule, in files and bundles that come in another order.
    @Property(seed = "21", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void theOrderOfDocumentsAndOfBundlesChangesNothing(@ForAll("bundles") Bundles bundles, @ForAll Random random) {
        List<String> documents = new ArrayList<>(List.of(Fleet.group("web", "{defaultPolicy: deny}")));
        for (int i = 0; i < bundles.elsewhere().size(); i++)
            documents.add(Fleet.policy("p" + i, bundles.elsewhere().get(i)));
        String team = WRITER + "---\n" + Fleet.policy("q", bundles.rules().toArray(String[]::new));
        Fleet inOrder = Fleet.acme(documents.toArray(String[]::new)).bundle("team", team);
        Fleet other = new Fleet().bundle("team", team).bundle("acme", String.join("\n---\n",
                Bundles.shuffle(documents, random)) + "\n---\n" + Fleet.TOOLS);

        assertThat(ask(other)).isEqualTo(ask(inOrder));
        assertThat(other.policy().digest()).isEqualTo(inOrder.policy().digest());
    }

    @Property(seed = "22", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void aRuleThatIsNotAboutACallChangesNothingAboutIt(@ForAll("bundles") Bundles bundles,
            @ForAll("rules") String rule, @ForAll("strangers") String about) {
        // The first rule of a bundle also brings the groups' defaults into force.
        Bundles policies = bundles.with("{tool: nothing__here, verdict: deny}", true)
                .with("{tool: nothing__here, verdict: deny}", false);
        Bundles more = policies.with("{" + about + rule.substring(rule.indexOf(", verdict:")), true);

        assertThat(ask(more.fleet())).isEqualTo(ask(policies.fleet()));
    }

    @Property(seed = "23", tries = 200, edgeCases = EdgeCasesMode.NONE)
    void aScopeIsAConjunction(@ForAll("ids") String user, @ForAll("ids") String channel, @ForAll("ids") String agent) {
        List<String> keys = new ArrayList<>();
        for (String key : List.of("userId: " + user, "channelId: " + channel, "agentName: " + agent)) {
            if (!key.endsWith("any"))
                keys.add(key);
        }
        Fleet fleet = Fleet.rules("{tool: \"*\", verdict: deny"
                + (keys.isEmpty() ? "" : ", scope: {" + String.join(", ", keys) + "}") + "}");

        for (PolicyCaller caller : CALLERS) {
            boolean fits = fits(user, caller.userId()) && fits(channel, caller.channelId())
                    && fits(agent, caller.agentName());
            assertThat(fleet.decide("box__plain", caller).denied()).as("%s by %s", keys, caller).isEqualTo(fits);
        }
    }

    @Property(seed = "24", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void whatAnOperatorSwitchesOffIsDeniedAndNothingElseChanges(@ForAll("bundles") Bundles bundles) {
        List<PolicyDecision> before = ask(bundles.fleet());
        List<PolicyDecision> after = ask(bundles.fleet().deny("*_stock_*"));

        for (int i = 0; i < before.size(); i++) {
            if (TOOLS.get(i % TOOLS.size()).contains("_stock_"))
                assertThat(after.get(i).verdict().cause().rule()).isEqualTo("@toolfleet/operator/deny/*_stock_*");
            else
                assertThat(after.get(i)).isEqualTo(before.get(i));
        }
    }

    @Property(seed = "19", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void anAllowNeverTurnsADenialByRuleIntoAnythingElse(@ForAll("bundles") Bundles bundles,
            @ForAll("allowances") String allowance) {
        List<PolicyDecision> before = ask(bundles.fleet());
        List<PolicyDecision> after = ask(bundles.with(allowance, false).fleet());

        for (int i = 0; i < before.size(); i++) {
            if (before.get(i).denied() && before.get(i).verdict().cause().stage() != Stage.DEFAULT_POLICY)
                assertThat(after.get(i).denied()).isTrue();
        }
    }

    @Property(seed = "20", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void whatMovesMoneyIsNeverAllowed(@ForAll("bundles") Bundles bundles) {
        Fleet fleet = bundles.fleet();

        for (PolicyCaller caller : CALLERS)
            assertThat(fleet.verdict("market__sell", caller)).isNotEqualTo("allow");
    }

    private static boolean fits(String wanted, @Nullable String value) {
        return wanted.equals("any") || wanted.equals(value);
    }

    private static Verdict verdict(PolicyDecision decision) {
        return decision.verdict() instanceof PolicyVerdict.Allowed
                ? Verdict.ALLOW
                : decision.denied() ? Verdict.DENY : Verdict.REQUIRE_APPROVAL;
    }

    private static List<PolicyDecision> ask(Fleet fleet) {
        List<PolicyDecision> decisions = new ArrayList<>();
        for (PolicyCaller caller : CALLERS) {
            for (String tool : TOOLS) {
                PolicyDecision decision = fleet.decide(tool, caller);
                decisions.add(new PolicyDecision(decision.verdict(), decision.stages(), ""));
            }
        }
        return decisions;
    }

    @Provide
    Arbitrary<Bundles> bundles() {
        Arbitrary<List<String>> rules = rules(Arbitraries.of("allow", "deny", "require-approval")).list().ofMaxSize(5);
        return Combinators.combine(
                Arbitraries.of("reach: bundle\n", "reach: fleet\n", "reach: fleet\ndefaultVerdict: deny\n"),
                Arbitraries.of("", "defaultVerdict: deny\n", "defaultVerdict: require-approval\n"), rules, rules)
                .as(Bundles::new);
    }

    @Provide
    Arbitrary<String> rules() {
        return rules(Arbitraries.of("allow", "deny", "require-approval"));
    }

    /// Rules that apply to none of the questions.
    @Provide
    Arbitrary<String> strangers() {
        return Arbitraries.of("tool: \"*\", scope: {userId: u9}", "tool: other__tool", "source: mcp", "group: data",
                "flag: openWorld", "tool: \"*\", scope: {userId: u1, channelId: c2}",
                "tool: \"box__*\", group: communication", "tool: \"market__*\", flag: destructive");
    }

    @Provide
    Arbitrary<String> ids() {
        return Arbitraries.of("any", "u1", "u2", "c1", "c2", "coder", "writer", "stranger");
    }

    @Provide
    Arbitrary<String> denials() {
        return rules(Arbitraries.just("deny"));
    }

    @Provide
    Arbitrary<String> allowances() {
        return rules(Arbitraries.just("allow"));
    }

    private static Arbitrary<String> rules(Arbitrary<String> verdicts) {
        Arbitrary<String> selectors = Arbitraries.of("tool: \"*\"", "tool: \"box__*\"", "tool: \"*_stock_*\"",
                "tool: market__sell", "group: finance", "group: [system, web]", "flag: destructive", "source: config",
                "tool: \"market__*\", flag: requiresApproval", "source: mcp");
        Arbitrary<String> scopes = Arbitraries.of("", ", scope: {userId: u1}", ", scope: {channelId: c1}",
                ", scope: {userId: u2, channelId: c1}", ", scope: {agentName: writer}", ", scope: {agentName: coder}");
        return Combinators.combine(selectors, scopes, verdicts, Arbitraries.integers().between(0, 2))
                .as((selector, scope, verdict, priority) -> "{" + selector + scope + ", verdict: " + verdict
                        + ", priority: " + priority + "}");
    }
}
