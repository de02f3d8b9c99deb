package dev.toolfleet.policy;

import dev.toolfleet.bundle.ApprovalTerms;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.policy.Fleet.CODER;
import static org.assertj.core.api.Assertions.assertThat;

/// Rules with different terms of approval, beside each other.
class ApprovalTermsTest {
    private static ApprovalTerms terms(Fleet fleet, String tool) {
        return ((PolicyVerdict.ApprovalRequired) fleet.decide(tool, CODER).verdict()).asking().stream()
                .map(Cause::approvals).reduce(ApprovalTerms.ONE, ApprovalTerms::and);
    }

    @Test
    void aRuleOfHigherPriorityDoesNotMakeTheTermsOfAnotherMilder() {
        Fleet fleet = Fleet.rules(
                "{id: a, tool: box__plain, verdict: require-approval, priority: 9}",
                "{id: b, tool: \"box__*\", verdict: require-approval, approvals: {quorum: 3}}",
                "{id: c, tool: \"box__*\", verdict: require-approval, approvals: {quorum: 2, notRequester: true}}",
                "{id: d, tool: \"box__*\", verdict: allow}");

        assertThat(terms(fleet, "box__plain")).isEqualTo(new ApprovalTerms(3, true));
        assertThat(fleet.decide("box__plain", CODER).verdict().cause().rule()).as("whose reason is given")
                .isEqualTo("acme/p/a");
    }

    @Test
    void stagesThatAskAddTheirTerms() {
        Fleet fleet = Fleet.rules("{group: finance, verdict: require-approval, approvals: {notRequester: true}}",
                "{tool: market__sell, verdict: require-approval, approvals: {quorum: 2}}");

        assertThat(terms(fleet, "market__sell")).isEqualTo(new ApprovalTerms(2, true));
        assertThat(terms(fleet, "market__quote")).isEqualTo(new ApprovalTerms(1, true));
    }

    @Test
    void otherTermsAreAnotherPolicy() {
        String rule = "{id: a, tool: \"*\", verdict: require-approval";

        assertThat(Fleet.rules(rule + ", approvals: {quorum: 2}}").policy().digest())
                .isNotEqualTo(Fleet.rules(rule + "}").policy().digest());
        assertThat(Fleet.rules(rule + ", approvals: {quorum: 1}}").policy().digest())
                .isEqualTo(Fleet.rules(rule + "}").policy().digest());
    }
}
