package dev.toolfleet.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Shadow rules of any kind beside enforced rules of any kind, and every tool, caller and kind of arguments.
class ShadowPropertyTest {
    private static final List<String> TOOLS = List.of("market__quote", "market__sell", "market__account", "box__plain",
            "box__remove", "box__get_stock_price");
    private static final List<PolicyCaller> CALLERS = List.of(Fleet.CODER, Fleet.caller("u2", "c1"),
            new PolicyCaller("u1", null, "stranger"), new PolicyCaller(null, null, null));

    /// Rules of a bundle.
    ///
    /// @param rules without a closing brace and a mode
    /// @param shadows of the same form
    record Rules(String head, List<String> rules, List<String> shadows) {
        Fleet without() {
            return fleet(rules.stream().map(rule -> rule + "}").toList());
        }

        Fleet with() {
            return fleet(Stream.concat(rules.stream().map(rule -> rule + "}"),
                    shadows.stream().map(rule -> rule + ", mode: shadow}")).toList());
        }

        Fleet enforcing(int shadow) {
            return fleet(Stream.concat(rules.stream(), Stream.of(shadows.get(shadow))).map(rule -> rule + "}")
                    .toList());
        }

        /// Without a rule and a default there is no policy at all.
        private Fleet fleet(List<String> all) {
            return all.isEmpty() && !head.contains("defaultVerdict")
                    ? Fleet.acme()
                    : Fleet.acme(Fleet.policyOf("p", head + (all.isEmpty()
                            ? "rules: []"
                            : "rules:\n  - " + String.join("\n  - ", all))));
        }
    }

    @Property(seed = "31", tries = 200, edgeCases = EdgeCasesMode.NONE)
    void shadowRulesChangeNoDecisionAndNoCatalog(@ForAll("bundles") Rules rules) {
        Fleet with = rules.with();
        Fleet without = rules.without();

        for (PolicyQuery query : queries(with))
            assertThat(decided(with, query)).as("%s", query).isEqualTo(decided(without, query));
    }

    @Property(seed = "32", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void aShadowVerdictIsThatOfThePolicyThatEnforcesTheRule(@ForAll("enforcing") Rules rules) {
        Fleet with = rules.with();

        for (int i = 0; i < rules.shadows().size(); i++) {
            String id = "acme/p/s" + i;
            Fleet enforcing = rules.enforcing(i);
            for (PolicyQuery query : queries(with)) {
                PolicyDecision decision = with.policy().decide(query, Fleet.NOW);
                PolicyDecision would = enforcing.policy().decide(query, Fleet.NOW);
                List<ShadowVerdict> judged = with.policy().shadows(query, decision, Fleet.NOW).stream()
                        .filter(shadow -> shadow.cause().rule().equals(id)).toList();

                if (judged.isEmpty())
                    assertThat(would.verdict()).as("%s", query).isEqualTo(decision.verdict());
                else
                    assertThat(judged).as("%s", query).singleElement().satisfies(shadow -> {
                        assertThat(shadow.would()).isEqualTo(would.verdict().verdict());
                        assertThat(shadow.changes()).isEqualTo(shadow.would() != decision.verdict().verdict());
                    });
            }
        }
    }

    @Property(seed = "33", tries = 120, edgeCases = EdgeCasesMode.NONE)
    void idsThatNoRuleNamesChangeNoVerdict(@ForAll("bundles") Rules rules) {
        Fleet fleet = rules.with();

        for (PolicyQuery query : queries(fleet)) {
            PolicyQuery distinct = new PolicyQuery(query.tool(), fleet.policy().distinct(query.caller()),
                    query.arguments());
            assertThat(decided(fleet, distinct)).as("%s", query).isEqualTo(decided(fleet, query));
        }
    }

    private static List<PolicyQuery> queries(Fleet fleet) {
        List<PolicyQuery> queries = new ArrayList<>();
        for (PolicyCaller caller : CALLERS) {
            for (String tool : TOOLS) {
                for (String arguments : List.of("", "{}", "{\"n\": 5}", "{\"n\": 50}"))
                    queries.add(new PolicyQuery(fleet.tool("acme", tool), caller, json(arguments)));
            }
        }
        return queries;
    }

    private static @Nullable JsonNode json(String text) {
        return text.isEmpty() ? null : Json.MAPPER.readTree(text);
    }

    /// Without the digest, which differs.
    private static PolicyDecision decided(Fleet fleet, PolicyQuery query) {
        PolicyDecision decision = fleet.policy().decide(query, Fleet.NOW);
        return new PolicyDecision(decision.verdict(), decision.stages(), "");
    }

    @Provide
    Arbitrary<Rules> bundles() {
        Arbitrary<List<String>> rules = rule().list().ofMaxSize(4);
        return Combinators.combine(Arbitraries.of("", "", "reach: fleet\n", "defaultVerdict: deny\n",
                "reach: fleet\ndefaultVerdict: require-approval\n"), rules, rules)
                .as((head, enforced, shadows) -> new Rules(head, numbered("r", enforced), numbered("s", shadows)));
    }

    /// Bundles with a policy that is more than shadow rules: another rule of it brings no default into force.
    @Provide
    Arbitrary<Rules> enforcing() {
        return bundles().filter(rules -> !rules.rules().isEmpty() || rules.head().contains("defaultVerdict"));
    }

    private static List<String> numbered(String prefix, List<String> rules) {
        List<String> numbered = new ArrayList<>();
        for (String rule : rules)
            numbered.add("{id: " + prefix + numbered.size() + ", " + rule);
        return numbered;
    }

    private static Arbitrary<String> rule() {
        Arbitrary<String> selectors = Arbitraries.of("tool: \"*\"", "tool: \"box__*\"", "tool: market__sell",
                "group: finance", "flag: destructive", "source: config");
        Arbitrary<String> scopes = Arbitraries.of("", ", scope: {userId: u1}", ", scope: {channelId: c1}",
                ", scope: {agentName: coder}");
        Arbitrary<String> conditions = Arbitraries.of("", "", ", when: {args: [{path: /n, lessThan: 10}]}");
        return Combinators.combine(selectors, scopes, conditions, Arbitraries.of("allow", "deny", "require-approval"),
                Arbitraries.integers().between(0, 2))
                .as((selector, scope, when, verdict, priority) -> selector + scope + when + ", verdict: " + verdict
                        + ", priority: " + priority);
    }
}
