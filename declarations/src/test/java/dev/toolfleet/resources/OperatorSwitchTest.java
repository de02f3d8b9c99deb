package dev.toolfleet.resources;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.resources.Declarations.apply;
import static dev.toolfleet.resources.Declarations.plan;
import static dev.toolfleet.resources.Declarations.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OperatorSwitchTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(3600);

    private final ResourceTable table = new ResourceTable();

    @Test
    void whatIsDeniedIsSeenByReaders() {
        deny("bash__*", LATER);

        assertThat(table.view().denials()).containsExactly(denial("bash__*", LATER));
        assertThat(table.view().bundle(OperatorDenial.BUNDLE).orElseThrow().problems()).isEmpty();
    }

    @Test
    void thereIsOneDenialForEachPattern() {
        deny("bash__*", LATER);
        deny("BASH__*", LATER.plusSeconds(1));

        assertThat(table.view().denials()).containsExactly(denial("bash__*", LATER.plusSeconds(1)));
    }

    @Test
    void aDenialByEntryIsReadAgainAndDeniesEverythingToEarlierVersions() {
        deny("builtin:bash", LATER);
        deny("./lib/a.jar#A", LATER);

        assertThat(table.view().denials()).extracting(OperatorDenial::name).containsExactly("builtin:bash",
                "lib/a.jar#A");
        assertThat(table.view().denials()).allMatch(denial -> denial.tools().equals(Glob.ANY));
        assertThat(denial("builtin:bash", LATER).json().at("/spec/tool").asString())
                .as("what a version that knows no entries reads").isEqualTo("*");
    }

    @Test
    void theNextSwitchRemovesWhatHasEnded() {
        deny("bash__*", NOW.plusSeconds(5));
        RevisionPlan next = OperatorSwitch.deny(denial("x__y", LATER), table, NOW.plusSeconds(5));

        assertThat(next.pruned()).containsExactly("@toolfleet/operator/OperatorDenial/bash__*");
        apply(table, next);
        assertThat(table.view().denials()).extracting(OperatorDenial::name).containsExactly("x__y");
    }

    @Test
    void whatIsLiftedIsGoneAndTheRestStays() {
        deny("a__*", LATER);
        deny("b__*", LATER);

        apply(table, OperatorSwitch.lift(List.of("a__*"), table, NOW));
        assertThat(OperatorSwitch.names(table, NOW)).containsExactly("b__*");
        apply(table, OperatorSwitch.lift(List.of("b__*"), table, NOW));
        assertThat(table.view().denials()).isEmpty();
    }

    @Test
    void whatCannotBeReadStaysUntilItIsLifted() {
        ObjectNode unreadable = denial("a__*", LATER).json();
        unreadable.withObject("spec").put("until", 7);
        apply(table, RevisionPlan.of(OperatorDenial.BUNDLE, ToolSource.OPERATOR,
                List.of(new RevisionPlan.Declared(unreadable, Map.of())), table));
        deny("b__*", LATER);

        assertThat(OperatorSwitch.names(table, LATER.plusSeconds(1))).containsExactly("a__*");
        assertThat(OperatorSwitch.lift(List.of("a__*"), table, NOW).pruned()).hasSize(1);
    }

    @Test
    void noBundleTouchesWhatOperatorsSay() {
        deny("bash__*", LATER);
        apply(table, plan(table, "acme", tool("bash", "exec")));

        assertThat(table.view().denials()).hasSize(1);
        assertThatThrownBy(() -> RevisionPlan.of(OperatorDenial.BUNDLE, List.of(), table))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("@toolfleet/operator");
    }

    @Test
    void aRecordThatSaysItComesFromABundleIsNoOperators() {
        ResourceRecord record = new ResourceRecord(OperatorDenial.BUNDLE, 1, new ToolSource(ToolSource.CONFIG, "x"),
                denial("*", LATER).json(), Map.of(), null);

        assertThat(table.apply("@toolfleet/operator/OperatorDenial/*", record)).isEmpty();
        assertThat(OperatorSwitch.names(table, NOW)).isEmpty();
    }

    @Test
    void aFieldOfALaterVersionIsPassedOver() {
        ObjectNode later = denial("bash__*", LATER).json();
        later.withObject("spec").put("userId", "u1");

        assertThat(OperatorDenial.of(later)).isEqualTo(denial("bash__*", LATER));
    }

    @Test
    void whatHasNoEndOrNoPatternCannotBeRead() {
        for (String field : List.of("until", "since", "tool")) {
            ObjectNode json = denial("bash__*", LATER).json();
            json.withObject("spec").put(field, "finance:*");
            assertThatThrownBy(() -> OperatorDenial.of(json)).as(field).isInstanceOf(InvalidResourceException.class);
        }
        assertThatThrownBy(() -> denial("bash__*", NOW)).isInstanceOf(IllegalArgumentException.class);
    }

    private void deny(String pattern, Instant until) {
        apply(table, OperatorSwitch.deny(denial(pattern, until), table, NOW));
    }

    private static OperatorDenial denial(String pattern, Instant until) {
        return OperatorDenial.of(pattern, "Because.", "ada", NOW, until);
    }
}
