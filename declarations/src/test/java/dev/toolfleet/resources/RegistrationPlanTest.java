package dev.toolfleet.resources;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.RevisionPlan.Entry;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.agent;
import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.tool;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RegistrationPlanTest {
    private static final RegistrationOwner WEATHER = RegistrationOwner.extension("acme", "coder", "weather");
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ResourceTable table = new ResourceTable();

    @Test
    void toolsShowOnceTheirRevisionIsWhole() {
        RegistrationPlan plan = registered(WEATHER, NOON, "sky__look", "sky__forecast");
        List<Entry> entries = plan.entries();

        for (Entry entry : entries.subList(0, 2))
            assertThat(table.apply(entry.key(), entry.value())).isEmpty();
        assertThat(table.view().registrations()).isEmpty();
        assertThat(table.apply(entries.getLast().key(), entries.getLast().value()))
                .contains("extension:acme/coder/weather");

        Registration shown = registration(WEATHER);
        assertThat(shown.tools()).containsOnlyKeys("sky__forecast", "sky__look");
        assertThat(shown.tool("sky", "look")).hasValueSatisfying(found -> {
            assertThat(found.spec().name()).isEqualTo("sky");
            assertThat(found.source()).isEqualTo(new ToolSource("extension", "weather"));
        });
        assertThat(shown.worker()).isEqualTo("w1");
        assertThat(entries).extracting(Entry::key).containsExactly("extension:acme/coder/weather/Tool/sky__forecast",
                "extension:acme/coder/weather/Tool/sky__look", "extension:acme/coder/weather/Revision/active");
    }

    @Test
    void aRenewalIsOneRecordAndChangesNoCatalog() {
        put(registered(WEATHER, NOON, "sky__look"));
        FleetResources before = table.view();

        RegistrationPlan renewal = registered(WEATHER, NOON.plusSeconds(10), "sky__look");
        assertThat(renewal.entries()).singleElement().satisfies(
                entry -> assertThat(table.apply(entry.key(), entry.value())).isEmpty());

        assertThat(table.view().showsWhat(before)).isTrue();
        assertThat(registration(WEATHER).lease()).isEqualTo(NOON.plusSeconds(40));
    }

    @Test
    void aLeaseThatNobodyRenewsHidesItsToolsAndNoOthers() {
        RegistrationOwner other = RegistrationOwner.extension("acme", "coder", "other");
        put(registered(WEATHER, NOON, "sky__look"));
        put(registered(other, NOON.plusSeconds(60), "sea__look"));

        Instant lapse = NOON.plus(LEASE).plus(Registration.CLOCK_SKEW);
        assertThat(table.view().live(lapse)).isSameAs(table.view());
        assertThat(table.view().live(lapse.plusMillis(1)).registrations()).containsOnlyKeys(other.namespace());
        assertThat(table.view().live(lapse.plusMillis(1)).showsWhat(table.view())).isFalse();
    }

    @Test
    void whatIsGoneGetsTombstonesAndNumbersNeverComeBack() {
        put(registered(WEATHER, NOON, "sky__look", "sky__forecast"));
        RegistrationPlan fewer = registered(WEATHER, NOON.plusSeconds(1), "sky__look");
        assertThat(fewer.entries()).filteredOn(entry -> entry.value() == null).extracting(Entry::key)
                .containsExactly("extension:acme/coder/weather/Tool/sky__forecast");
        put(fewer);
        long last = registration(WEATHER).revision();

        RegistrationPlan none = registered(WEATHER, NOON.plusSeconds(2));
        assertThat(none.entries()).hasSize(2).allMatch(entry -> entry.value() == null);
        put(none);
        assertThat(table.view().registrations()).isEmpty();
        assertThat(registered(WEATHER, NOON.plusSeconds(2)).entries()).isEmpty();

        put(registered(WEATHER, NOON.plusSeconds(3), "sky__look"));
        assertThat(registration(WEATHER).revision()).isGreaterThan(last);
    }

    @Test
    void bundlesAndRegistrationsNeverTouchEachOther() {
        put(registered(WEATHER, NOON, "sky__look"));
        apply(table, plan(table, "acme", tool("a", "x"), agent("coder", "Tool/a")));
        apply(table, plan(table, "acme", agent("coder")));

        assertThat(registration(WEATHER).tools()).containsOnlyKeys("sky__look");
        put(registered(WEATHER, NOON));
        assertThat(table.view().bundles()).containsOnlyKeys("acme");
        assertThatIllegalArgumentException().isThrownBy(() -> plan(table, WEATHER.namespace(), tool("a", "x")))
                .withMessageContaining("cannot be called");

        ResourceRecord foreign = new ResourceRecord(WEATHER.namespace(), 1, new ToolSource("config", "a"),
                tool("a", "x"), Map.of(), null);
        assertThat(table.apply(WEATHER.namespace() + "/Tool/a", foreign)).isEmpty();
    }

    @Test
    void namesThatNoModelCanCallAreProblems() {
        assertThat(RegisteredTools.problem(WEATHER, declared("sky__look"))).isEmpty();
        for (String name : List.of("look", "sky__", "__look", "sky.look", "sky__look at", "a__b__c"))
            assertThat(RegisteredTools.problem(WEATHER, declared(name))).as(name).isPresent();
        assertThat(RegisteredTools.problem(WEATHER,
                declared("sky__look").with("timeout", Json.MAPPER.valueToTree(7)))).isPresent();
        assertThat(RegisteredTools.problem(WEATHER,
                ToolDeclaration.of("sky__look", "x".repeat(2_000_000), Json.MAPPER.createObjectNode())))
                .hasValueSatisfying(problem -> assertThat(problem).contains("bytes"));
    }

    @Test
    void anOutputIsCheckedByASchemaThatCanBeUsed() {
        ToolDeclaration checked = declared("sky__look").with("validateOutput", BooleanNode.TRUE);
        JsonNode object = Json.MAPPER.readTree("{\"type\": \"object\"}");

        assertThat(RegisteredTools.problem(WEATHER, checked.with("outputSchema", object))).isEmpty();
        assertThat(RegisteredTools.problem(WEATHER, checked))
                .hasValueSatisfying(problem -> assertThat(problem).contains("outputSchema", "validateOutput"));
        assertThat(RegisteredTools.problem(WEATHER, checked.with("outputSchema",
                Json.MAPPER.readTree("{\"$ref\": \"https://schemas.example/weather\"}"))))
                .hasValueSatisfying(problem -> assertThat(problem).contains("the outputSchema of 'sky__look'"));
    }

    @Test
    void ownersHaveNamespacesOfTheirOwn() {
        RegistrationOwner fleet = new RegistrationOwner("extension", "", "", "weather", "");

        assertThat(WEATHER.server("github").namespace()).isEqualTo("mcp:acme/coder/weather/github");
        assertThat(fleet.namespace()).isEqualTo("extension:fleet/weather");
        assertThat(RegistrationOwner.extension("@x/fleet", "coder", "weather").namespace())
                .isEqualTo("extension:@x/fleet/coder/weather");
        assertThat(RegistrationOwner.isNamespace("acme")).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> WEATHER.server("a/b")).withMessageContaining("'/'");
        assertThatIllegalArgumentException().isThrownBy(() -> WEATHER.server(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RegistrationOwner("config", "acme", "coder", "weather", ""));
    }

    private Registration registration(RegistrationOwner owner) {
        return requireNonNull(table.view().registrations().get(owner.namespace()));
    }

    private RegistrationPlan registered(RegistrationOwner owner, Instant now, String... tools) {
        return registered(table, owner, now, tools);
    }

    static RegistrationPlan registered(ResourceTable table, RegistrationOwner owner, Instant now, String... tools) {
        SortedMap<String, ToolDeclaration> declared = new TreeMap<>();
        for (String tool : tools)
            declared.put(tool, declared(tool));
        return RegistrationPlan.of(new RegistrationPlan.Lease(owner, now, now.plus(LEASE), "w1"),
                Optional.ofNullable(table.view().registrations().get(owner.namespace())), declared);
    }

    private static ToolDeclaration declared(String name) {
        ObjectNode parameters = Json.MAPPER.createObjectNode().put("type", "object");
        return ToolDeclaration.of(name, "does " + name, parameters).readOnly();
    }

    private void put(RegistrationPlan plan) {
        plan.entries().forEach(entry -> table.apply(entry.key(), entry.value()));
    }
}
