package dev.toolfleet.policy;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PolicyDigestTest {
    private static final String ONE = "{tool: box__plain, verdict: deny}";
    private static final String OTHER = "{group: [web, finance], verdict: allow, priority: 3}";

    @Test
    void theOrderOfRulesAndOfItemsAndTheBundlesRevisionDoNotMatter() {
        Fleet again = Fleet.rules(OTHER, ONE).bundle("acme",
                Fleet.TOOLS + "---\n" + Fleet.policy("p", "{priority: 3, verdict: allow, group: [finance, web]}",
                        "{verdict: deny, tool: [box__plain]}"));

        assertThat(again.policy().digest()).isEqualTo(Fleet.rules(ONE, OTHER).policy().digest());
    }

    @Test
    void everyChangeOfMeaningMatters() {
        String digest = Fleet.rules(ONE, OTHER).policy().digest();

        assertThat(Fleet.rules(ONE).policy().digest()).isNotEqualTo(digest);
        assertThat(Fleet.rules(ONE, OTHER.replace("3", "4")).policy().digest()).isNotEqualTo(digest);
        assertThat(Fleet.rules(ONE.replace("}", ", reason: x}"), OTHER).policy().digest()).isNotEqualTo(digest);
        assertThat(Fleet.acme(Fleet.policy("p", ONE, OTHER), Fleet.group("ci", "{defaultPolicy: deny}")).policy()
                .digest()).isNotEqualTo(digest);
        assertThat(Fleet.acme(Fleet.policyOf("p", "reach: fleet\nrules: [" + ONE + ", " + OTHER + "]")).policy()
                .digest()).isNotEqualTo(digest);
        assertThat(Fleet.acme(Fleet.policyOf("p", "rules: [" + ONE + ", " + OTHER + "]")).policy().digest())
                .isEqualTo(digest);
    }

    @Test
    void whatIsNoPolicyDoesNotMatter() {
        assertThat(Fleet.rules(ONE).bundle("other", Fleet.TOOLS).policy().digest())
                .isEqualTo(Fleet.rules(ONE).policy().digest());
    }
}
