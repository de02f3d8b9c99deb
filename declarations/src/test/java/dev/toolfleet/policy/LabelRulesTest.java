package dev.toolfleet.policy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.ToolPolicySpec;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.wire.ToolCatalogItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/// Rules that look at the labels of the instance.
class LabelRulesTest {
    private static final String MAIL = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata: {name: mail}
            spec:
              entry: java:acme.Mail
              exports:
                - {name: read, annotations: {readOnly: true, openWorld: true}, sends: false}
                - {name: send, annotations: {openWorld: true}, adds: []}
            """;
    private static final Set<String> BOTH = Set.of("untrusted", "sensitive");

    @Test
    void aRuleCountsOnceTheInstanceHasAllItsLabels() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny, when: {labels: {all: [untrusted, sensitive]}}}");

        assertThat(verdict(fleet, "box__plain", Set.of())).isEqualTo(Verdict.ALLOW);
        assertThat(verdict(fleet, "box__plain", Set.of("untrusted"))).isEqualTo(Verdict.ALLOW);
        assertThat(verdict(fleet, "box__plain", Set.of("untrusted", "sensitive", "more"))).isEqualTo(Verdict.DENY);
    }

    @Test
    void labelsAndArgumentsCountTogether() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny,"
                + " when: {labels: {all: [untrusted]}, args: [{path: /n, lessThan: 10}]}}");

        assertThat(verdict(fleet, "box__plain", Set.of("untrusted"), "{\"n\": 5}")).isEqualTo(Verdict.DENY);
        assertThat(verdict(fleet, "box__plain", Set.of("untrusted"), "{\"n\": 50}")).isEqualTo(Verdict.ALLOW);
        assertThat(verdict(fleet, "box__plain", Set.of(), "{\"n\": 5}")).isEqualTo(Verdict.ALLOW);
    }

    @ParameterizedTest
    @CsvSource({"'',allow", "untrusted,allow", "sensitive,allow", "untrusted sensitive,require-approval"})
    void guardedTrustAsksBeforeDataCanLeave(String labels, String verdict) {
        Fleet fleet = Fleet.acme(MAIL, Fleet.policyOf("p", "trust: guarded\nrules: []"));
        Set<String> all = labels.isEmpty() ? Set.of() : Set.of(labels.split(" "));

        assertThat(verdict(fleet, "mail__send", all).text()).isEqualTo(verdict);
        assertThat(verdict(fleet, "mail__read", all)).as("it sends nothing").isEqualTo(Verdict.ALLOW);
        assertThat(verdict(fleet, "box__plain", all)).isEqualTo(Verdict.ALLOW);
    }

    @Test
    void noAllowanceLiftsGuardedTrust() {
        Fleet fleet = Fleet.acme(MAIL,
                Fleet.policyOf("p", "trust: guarded\nrules:\n- {tool: mail__send, verdict: allow}"));

        assertThat(verdict(fleet, "mail__send", BOTH)).isEqualTo(Verdict.REQUIRE_APPROVAL);
        assertThat(decision(fleet, "mail__send", BOTH, "{}").verdict().cause().rule())
                .isEqualTo("acme/p/trust-guarded");
    }

    @Test
    void aStepHidesWhatTheLabelsDeny() {
        Fleet fleet = Fleet.acme(MAIL,
                Fleet.policy("p", "{flag: sends, verdict: deny, when: {labels: {all: [sensitive]}}}"),
                "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: writer}\nspec: {tools: [Tool/mail]}\n");

        assertThat(shown(fleet, Set.of())).containsExactly("mail__read", "mail__send");
        assertThat(shown(fleet, Set.of("sensitive"))).containsExactly("mail__read");
    }

    @Test
    void labelsBelongToTheIdAndToTheDigest() {
        String one = "{tool: box__plain, verdict: deny, when: {labels: {all: [untrusted]}}}";
        Fleet fleet = Fleet.rules(one);
        Fleet other = Fleet.rules(one.replace("untrusted", "sensitive"));

        assertThat(other.policy().digest()).isNotEqualTo(fleet.policy().digest());
        assertThat(Fleet.acme(Fleet.policyOf("p", "trust: guarded\nrules: []")).policy().digest())
                .isNotEqualTo(Fleet.acme(Fleet.policyOf("p", "rules: []")).policy().digest());
    }

    @Test
    void eachLabelOfARuleIsTold() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny, when: {labels: {all: [untrusted, sensitive]}}}");
        PolicyQuery query = PolicyQuery.ofStep(fleet.tool("acme", "box__plain"), Fleet.CODER)
                .labelled(Set.of("sensitive"));

        RuleCheck check = fleet.policy().conditional(query, Fleet.NOW).getFirst();
        assertThat(check.counts()).isFalse();
        assertThat(check.conditions()).containsExactly(new RuleCheck.Checked("label sensitive", "met"),
                new RuleCheck.Checked("label untrusted", "not met"));
    }

    @Test
    void onlyRulesThatConcernTheCallDependOnMoreLabels() {
        Fleet fleet = Fleet.rules("{tool: box__plain, verdict: deny, when: {labels: {all: [untrusted, sensitive]}}}");
        PolicyQuery plain = PolicyQuery.ofStep(fleet.tool("acme", "box__plain"), Fleet.CODER);

        assertThat(fleet.policy().dependsOnMoreLabels(plain, Fleet.NOW)).isTrue();
        assertThat(fleet.policy().dependsOnMoreLabels(plain.labelled(Set.of("sensitive")), Fleet.NOW)).isTrue();
        assertThat(fleet.policy().dependsOnMoreLabels(plain.labelled(BOTH), Fleet.NOW)).isFalse();
        assertThat(fleet.policy().dependsOnMoreLabels(
                PolicyQuery.ofStep(fleet.tool("acme", "box__remove"), Fleet.CODER), Fleet.NOW)).isFalse();
        Fleet without = Fleet.rules("{tool: box__plain, verdict: deny}");
        assertThat(without.policy().dependsOnMoreLabels(plain, Fleet.NOW)).isFalse();
        assertThat(fleet.policy().readsLabels()).isTrue();
        assertThat(without.policy().readsLabels()).isFalse();
    }

    @Test
    void exportsAddAndSendByTheirAnnotationsUnlessTheySaySo() {
        ToolSpec spec = ToolSpec.of(tool("[{name: a, annotations: {openWorld: true}, accessesSensitiveData: true},"
                + " {name: b}, {name: c, adds: [secret-plans], sends: true}, {name: d, adds: [],"
                + " annotations: {openWorld: true}, sends: false}]"));

        assertThat(spec.exports()).extracting(export -> export.policy().adds()).containsExactly(BOTH, Set.of(),
                Set.of("secret-plans"), Set.of());
        assertThat(spec.exports()).extracting(export -> export.policy().sends()).containsExactly(true, false, true,
                false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{all: []}", "{}", "{any: [untrusted]}", "{all: [Not A Label]}"})
    void conditionsOnLabelsThatCannotBeReadAreRefused(String labels) {
        ObjectNode policy = document(Fleet.policy("p", "{tool: x, verdict: deny, when: {labels: " + labels + "}}"));

        assertThatExceptionOfType(InvalidResourceException.class).isThrownBy(() -> ToolPolicySpec.of(policy));
    }

    private static ObjectNode document(String yaml) {
        return BundleLoader.parse(Path.of("no-such-folder"), new LinkedHashMap<>(Map.of("a.yaml", yaml))).bundle()
                .resources().getFirst().document();
    }

    private static ObjectNode tool(String exports) {
        return document("apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: {name: t}\nspec: {entry: 'java:a.B',"
                + " exports: " + exports + "}");
    }

    private static Verdict verdict(Fleet fleet, String tool, Set<String> labels) {
        return verdict(fleet, tool, labels, "{}");
    }

    private static Verdict verdict(Fleet fleet, String tool, Set<String> labels, String arguments) {
        return decision(fleet, tool, labels, arguments).verdict().verdict();
    }

    private static PolicyDecision decision(Fleet fleet, String tool, Set<String> labels, String arguments) {
        return fleet.policy().decide(new PolicyQuery(fleet.tool("acme", tool), Fleet.CODER,
                Json.MAPPER.readTree(arguments), labels), Fleet.NOW);
    }

    private static List<String> shown(Fleet fleet, Set<String> labels) {
        return StepTools.of(fleet.policy(), fleet.resources(), new PolicyCaller(null, null, "writer"), labels,
                AgentTools.items(fleet.resources(), "writer"), Fleet.NOW).items().stream().map(ToolCatalogItem::name)
                .toList();
    }
}
