package dev.toolfleet.policy;

import java.util.stream.Stream;

import dev.toolfleet.bundle.ToolPolicySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class StagesTest {
    static Stream<Arguments> rules() {
        return Stream.of(
                arguments("{tool: \"*\", verdict: deny}", Stage.GLOBAL_DENY),
                arguments("{flag: destructive, verdict: deny}", Stage.GLOBAL_DENY),
                arguments("{source: mcp, verdict: deny}", Stage.GLOBAL_DENY),
                arguments("{tool: \"*\", verdict: deny, scope: {agentName: coder}}", Stage.GLOBAL_DENY),
                arguments("{source: config, verdict: allow}", Stage.GLOBAL_ALLOW),
                arguments("{tool: \"*\", verdict: require-approval}", Stage.GLOBAL_ALLOW),
                arguments("{tool: box__plain, verdict: deny, scope: {userId: u1}}", Stage.USER_DENY),
                arguments("{group: system, verdict: deny, scope: {userId: u1, channelId: c1}}", Stage.USER_DENY),
                arguments("{tool: \"*\", verdict: allow, scope: {userId: u1}}", Stage.USER_ALLOW),
                arguments("{tool: \"*\", verdict: require-approval, scope: {userId: u1}}", Stage.USER_ALLOW),
                arguments("{tool: box__plain, verdict: allow, scope: {channelId: c1}}", Stage.CHANNEL_POLICY),
                arguments("{group: finance, verdict: deny, scope: {channelId: c1}}", Stage.CHANNEL_POLICY),
                arguments("{group: finance, verdict: deny}", Stage.GROUP_POLICY),
                arguments("{group: finance, flag: readOnly, verdict: allow}", Stage.GROUP_POLICY),
                arguments("{tool: \"box__*\", verdict: deny}", Stage.TOOL_POLICY),
                arguments("{tool: box__plain, group: finance, verdict: allow, scope: {agentName: coder}}",
                        Stage.TOOL_POLICY));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void everyRuleHasItsStage(String rule, Stage stage) {
        Fleet fleet = Fleet.rules(rule);

        assertThat(fleet.resources().bundle("acme").orElseThrow().policies().values())
                .flatExtracting(ToolPolicySpec::rules).extracting(Stage::of).containsExactly(stage);
    }

    @Test
    void stagesHaveTheSeedsNamesInItsOrder() {
        assertThat(Stage.values()).extracting(Stage::text).containsExactly("global-deny", "global-allow", "user-deny",
                "user-allow", "channel-policy", "group-policy", "tool-policy", "finance-safety", "default-policy");
    }

    @Test
    void priorityThenSpecificityThenIdChooseTheReason() {
        Fleet fleet = Fleet.rules("{id: b, tool: \"box__*\", verdict: deny, reason: wide}",
                "{id: z, tool: box__plain, verdict: deny, reason: exact}");
        assertThat(fleet.decide("box__plain").verdict().cause().reason()).isEqualTo("exact");

        fleet = Fleet.rules("{id: b, tool: \"box__*\", verdict: deny, reason: wide, priority: 1}",
                "{id: z, tool: box__plain, verdict: deny, reason: exact}");
        assertThat(fleet.decide("box__plain").verdict().cause().reason()).isEqualTo("wide");

        fleet = Fleet.rules("{id: z, tool: box__plain, verdict: deny, reason: last}",
                "{id: b, tool: box__plain, verdict: deny, reason: first}");
        assertThat(fleet.decide("box__plain").verdict().cause().rule()).isEqualTo("acme/p/b");
    }

    @Test
    void aSelectorsFieldsAreAConjunctionAndAListIsAnyOfItsItems() {
        Fleet fleet = Fleet.rules("{tool: [\"box__*\", market__quote], group: [finance, web], verdict: deny}");

        assertThat(fleet.verdict("market__quote")).isEqualTo("deny");
        assertThat(fleet.verdict("box__get_stock_price")).isEqualTo("deny");
        assertThat(fleet.verdict("box__plain")).isEqualTo("allow");
        assertThat(fleet.verdict("market__account")).isEqualTo("require-approval");
    }

    @Test
    void everyMatchingRuleIsListedForPeople() {
        Fleet fleet = Fleet.rules("{id: a, tool: \"box__*\", verdict: allow}",
                "{id: b, tool: box__plain, verdict: deny}", "{id: c, tool: box__remove, verdict: deny}");

        assertThat(fleet.policy().matching(Stage.TOOL_POLICY,
                PolicyQuery.ofStep(fleet.tool("acme", "box__plain"), Fleet.CODER), Fleet.NOW)).extracting(Cause::rule)
                .containsExactly("acme/p/b", "acme/p/a");
    }
}
