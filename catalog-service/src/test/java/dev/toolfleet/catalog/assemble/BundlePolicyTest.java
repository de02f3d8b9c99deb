package dev.toolfleet.catalog.assemble;

import java.time.Instant;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.catalog.Steps;
import dev.toolfleet.policy.Policy;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.export;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.inGroup;
import static dev.toolfleet.catalog.Bundles.policy;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

/// Agent `coder` takes steps for user `u` in channel `c`.
class BundlePolicyTest {
    private static final ObjectNode CODER = agent("coder", "Tool/a", "Tool/b");

    private final Steps steps = new Steps(new BundlePolicy());

    @Test
    void aDeniedToolIsNotInTheContent() {
        steps.apply(tool("a", "x", "y"), tool("b", "z"), CODER, policy("{\"tool\": \"a__x\", \"verdict\": \"deny\"}"));

        assertThat(steps.names()).containsExactly("a__y", "b__z");
        assertThat(steps.step().content().json()).doesNotContain("a__x");
    }

    @Test
    void theStepsFactsDecideAndTheDigestIsThePolicys() {
        ObjectNode[] bundle = {tool("a", "x"), inGroup("finance", tool("b", "z")), CODER,
                policy("{\"group\": \"finance\", \"verdict\": \"deny\", \"scope\": {\"userId\": \"u\"}}",
                        "{\"tool\": \"*\", \"verdict\": \"deny\", \"scope\": {\"channelId\": \"elsewhere\"}}")};
        steps.apply(bundle);

        assertThat(steps.names()).containsExactly("a__x");
        assertThat(steps.step().policyDigest())
                .isEqualTo(Policy.compile(new Bundles().apply("acme", bundle).view()).digest());
    }

    @Test
    void whatNeedsApprovalIsShown() {
        steps.apply(tool("a", "x"), tool("b", "z"), CODER,
                policy("{\"tool\": \"*\", \"verdict\": \"require-approval\"}"));

        assertThat(steps.names()).containsExactly("a__x", "b__z");
    }

    @Test
    void whatTheLabelsOfTheInstanceDenyIsHidden() {
        steps.apply(tool("a", "x"), tool("b", "z"), CODER, policy(
                "{\"tool\": \"a__x\", \"verdict\": \"deny\", \"when\": {\"labels\": {\"all\": [\"untrusted\"]}}}"));

        assertThat(steps.names()).containsExactly("a__x", "b__z");
        assertThat(steps.labels("untrusted").names()).containsExactly("b__z");
    }

    @Test
    void whatNeedsApprovalUnderGuardedTrustIsShown() {
        ObjectNode guarded = policy();
        guarded.withObject("spec").put("trust", "guarded");
        ObjectNode a = tool("a", "x");
        export(a, "x").put("sends", true);
        steps.apply(a, tool("b", "z"), CODER, guarded);

        assertThat(steps.labels("untrusted", "sensitive").names()).containsExactly("a__x", "b__z");
    }

    @Test
    void oneDenialHidesNoShell() {
        steps.apply(tool("a", "x"), inGroup("system", tool("b", "z")), CODER,
                policy("{\"tool\": \"a__x\", \"verdict\": \"deny\"}"));

        assertThat(steps.names()).containsExactly("b__z");
    }

    @Test
    void theNextRevisionOfThePolicyCounts() {
        ObjectNode a = tool("a", "x");
        steps.apply(a, tool("b", "z"), CODER, policy("{\"tool\": \"a__*\", \"verdict\": \"deny\"}"));
        String before = steps.step().policyDigest();
        steps.apply(a, tool("b", "z"), CODER, policy("{\"tool\": \"b__*\", \"verdict\": \"deny\"}"));

        assertThat(steps.names()).containsExactly("a__x");
        assertThat(steps.step().policyDigest()).isNotEqualTo(before);
        steps.apply(a, tool("b", "z"), CODER);
        assertThat(steps.names()).containsExactly("a__x", "b__z");
        assertThat(steps.step().policyDigest()).isNull();
    }

    @Test
    void whatAnOperatorSwitchesOffIsHiddenUntilItEndsByTheClockAlone() {
        steps.apply(tool("a", "x", "y"), tool("b", "z"), CODER).deny("a__*", Instant.EPOCH.plusSeconds(60));

        assertThat(steps.names()).containsExactly("b__z");
        assertThat(steps.step().policyDigest()).isNotNull();
        assertThat(steps.at(Instant.EPOCH.plusSeconds(60)).names()).containsExactly("a__x", "a__y", "b__z");
    }

    @Test
    void noLayerBringsADeniedToolBack() {
        steps.layer("All", 0, (ctx, next) -> {
            next.proceed();
            ctx.tools(ctx.known());
        }).apply(tool("a", "x"), tool("b", "z"), extension("all", "java:All"),
                using(agent("coder", "Tool/a", "Tool/b"), "all", config -> {}),
                policy("{\"tool\": \"a__x\", \"verdict\": \"deny\"}"));

        assertThat(steps.names()).containsExactly("b__z");
    }

    @Test
    void aPolicyThatCannotBeReadHidesEverything() {
        steps.apply(tool("a", "x"), tool("b", "z"), CODER,
                policy("{\"tool\": \"a__x\", \"verdict\": \"deny\", \"from\": \"a newer version\"}"));

        assertThat(steps.names()).isEmpty();
    }
}
