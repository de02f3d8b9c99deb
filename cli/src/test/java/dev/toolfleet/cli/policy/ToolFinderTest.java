package dev.toolfleet.cli.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.resources.ResourceTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolFinderTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final ResourceTable table = new ResourceTable();

    @Test
    void aToolThatAnExtensionRegisteredIsFoundWithoutAnAgentWhileItsLeaseLives() {
        register("weather");
        FleetResources resources = table.view();

        ToolFinder found = ToolFinder.of(resources.live(NOON), "sky__look", null);
        assertThat(found.listed()).isTrue();
        assertThat(found.tool().name()).isEqualTo("sky__look");
        assertThat(found.tool().bundle()).isEqualTo("extension:acme/coder/weather");
        assertThat(found.tool().source()).isEqualTo("extension");

        assertThatThrownBy(() -> ToolFinder.of(resources.live(NOON.plusSeconds(600)), "sky__look", null))
                .isInstanceOf(Failure.class).hasMessageContaining("has a tool called 'sky__look'");
    }

    @Test
    void ofSeveralOwnersAllAreNamed() {
        register("weather");
        register("other");

        assertThatThrownBy(() -> ToolFinder.of(table.view(), "sky__look", null)).isInstanceOf(Failure.class)
                .hasMessageContaining("extension:acme/coder/weather")
                .hasMessageContaining("extension:acme/coder/other").hasMessageContaining("--agent");
    }

    private void register(String extension) {
        TreeMap<String, ToolDeclaration> declared = new TreeMap<>();
        declared.put("sky__look", ToolDeclaration.of("sky__look", "looks up",
                Json.MAPPER.createObjectNode().put("type", "object")));
        RegistrationOwner owner = RegistrationOwner.extension("acme", "coder", extension);
        RegistrationPlan.of(new RegistrationPlan.Lease(owner, NOON, NOON.plus(Duration.ofSeconds(30)), "w1"),
                Optional.empty(), declared).entries().forEach(entry -> table.apply(entry.key(), entry.value()));
    }
}
