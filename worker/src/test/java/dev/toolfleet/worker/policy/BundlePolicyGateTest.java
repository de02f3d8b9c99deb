package dev.toolfleet.worker.policy;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/// Includes the absence of the faults of FinClaw's policy at run time (1.4, 3.5): `requiresApproval` that no code read,
/// an unknown tool that was let through, a verdict that did not name its policy.
class BundlePolicyGateTest {
    private static final ToolCall CALL = ToolCall.of("c1", "t__run", Json.MAPPER.createObjectNode().put("n", 1), "i")
            .inStep("coder", "t", "s", 0);

    private final TestResources ops = new TestResources();
    private final ToolRegistry registry = TestResources.registry(Map::of, true);
    private final PolicyGate gate = new BundlePolicyGate(registry::resources, InstantSource.system());

    private CatalogTool tool(String name) {
        return requireNonNull(registry.named(name));
    }

    @Test
    void aShadowRuleIsNamedWhereItWouldChangeTheVerdictAndEnforcedNowhere() {
        rule("deny", "shadow");
        Ruling shadowed = gate.rule(CALL, tool("t__run"), List.of());

        assertThat(shadowed).isInstanceOf(Ruling.Allowed.class);
        assertThat(shadowed.basis().shadows()).singleElement().satisfies(shadow -> {
            assertThat(shadow.cause().rule()).isEqualTo("ops/p/r");
            assertThat(shadow.would()).isEqualTo(Verdict.DENY);
        });
        rule("allow", "shadow", "bundle");
        assertThat(gate.rule(CALL, tool("t__run"), List.of()).basis().shadows()).as("it is allowed already").isEmpty();
    }

    private void rule(String verdict) {
        rule(verdict, "enforce");
    }

    private void rule(String verdict, String mode) {
        rule(verdict, mode, "fleet");
    }

    private void rule(String verdict, String mode, String reach) {
        ObjectNode policy = TestResources.resource("ToolPolicy", "p");
        ObjectNode spec = policy.putObject("spec").put("reach", reach);
        spec.putArray("rules").addObject().put("id", "r").put("mode", mode).put("tool", "t__*").put("verdict", verdict)
                .put("reason",
                        "because");
        ops.apply(registry, "ops", policy);
    }

    @Test
    void withoutRulesCallsGoOn() {
        assertThat(gate.rule(CALL, tool("t__run"), List.of())).isInstanceOf(Ruling.Allowed.class);
    }

    @Test
    @DisplayName("X-10: a denial has a code of its own, and counts from the next call on")
    void aChangeCountsFromTheNextCallOnAndADenialNamesRuleAndReasonOnly() {
        CatalogTool shown = tool("t__run");
        Ruling before = gate.rule(CALL, shown, List.of());

        rule("deny");
        Ruling after = gate.rule(CALL, shown, List.of());

        assertThat(after).asInstanceOf(type(Ruling.Denied.class)).satisfies(denied -> {
            assertThat(denied.error().code()).isEqualTo(ErrorCode.E_TOOL_DENIED.name());
            assertThat(denied.error().message()).contains("because").contains("ops/p/r").doesNotContain("parameters");
        });
        assertThat(after.basis().policyDigest()).as("by which policy").startsWith("sha256:")
                .isNotEqualTo(before.basis().policyDigest());
        assertThat(requireNonNull(after.basis().decision()).stages()).hasSize(9);
        ops.apply(registry, "ops");
        assertThat(gate.rule(CALL, shown, List.of())).isInstanceOf(Ruling.Allowed.class);
    }

    @Test
    void conditionsLookAtTheArgumentsOfTheCallAsTheMiddlewaresLeftIt() {
        ObjectNode policy = TestResources.resource("ToolPolicy", "p");
        ObjectNode rule = policy.putObject("spec").put("reach", "fleet").putArray("rules").addObject().put("id", "r")
                .put("tool", "t__*").put("verdict", "deny");
        rule.putObject("when").putArray("args").addObject().put("path", "/amount").put("greaterThan", 1000);
        ops.apply(registry, "ops", policy);

        assertThat(gate.rule(paying("1000"), tool("t__run"), List.of())).isInstanceOf(Ruling.Allowed.class);
        for (String amount : List.of("1000.01", "\"5\"", "null", "[5]"))
            assertThat(gate.rule(paying(amount), tool("t__run"), List.of())).as(amount)
                    .isInstanceOf(Ruling.Denied.class);
        assertThat(gate.rule(CALL, tool("t__run"), List.of())).as("it is missing").isInstanceOf(Ruling.Denied.class);
    }

    private static ToolCall paying(String amount) {
        return CALL.with(Json.MAPPER.readTree("{\"amount\": " + amount + "}"), null);
    }

    @Test
    void aRuleThatAsksIsNamed() {
        rule("require-approval");

        assertThat(gate.rule(CALL, tool("t__run"), List.of())).asInstanceOf(type(Ruling.Asked.class))
                .satisfies(asked -> assertThat(asked.asking()).extracting(Cause::rule).containsExactly("ops/p/r"));
    }

    @Test
    void requiresApprovalOfTheExportIsReadAndSensitiveDataIsMarked() {
        ObjectNode declared = TestResources.tool("safe", BundlePolicyGateTest.class, "open");
        TestResources.export(declared, "open").put("requiresApproval", true).put("accessesSensitiveData", true);
        ops.apply(registry, "ops", declared);

        Ruling ruling = gate.rule(CALL, tool("safe__open"), List.of());

        assertThat(ruling).isInstanceOf(Ruling.Asked.class);
        assertThat(ruling.basis().sensitive()).isTrue();
    }

    @Test
    void aToolThatNobodyDeclaresAnyMoreAsksAPersonInsteadOfPassing() {
        ops.apply(registry, "ops", TestResources.tool("gone", BundlePolicyGateTest.class, "x"));
        CatalogTool shown = tool("gone__x");
        ops.apply(registry, "ops");

        assertThat(gate.rule(CALL, shown, List.of())).isInstanceOf(Ruling.Asked.class);
    }

    @Test
    void aPolicyThatFailsDenies() {
        PolicyGate broken = new BundlePolicyGate(() -> {
            throw new StackOverflowError("a bug");
        }, InstantSource.system());

        assertThat(broken.rule(CALL, tool("t__run"), List.of())).asInstanceOf(type(Ruling.Denied.class))
                .satisfies(denied -> assertThat(List.of(denied.error().code())).containsExactly("E_TOOL_DENIED"));
    }
}
