package dev.toolfleet.worker.registration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.worker.registry.OfferedTools;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class RegistrationWriterTest {
    private static final RegistrationOwner WEATHER = RegistrationOwner.extension("acme", "coder", "weather");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    private final ResourceTable topic = new ResourceTable();

    @Test
    void whatIsOfferedIsDeclaredAndOnlyRenewedWhenItIsTime() {
        RegistrationWriter tenure = tenure("w1", NOON);

        write(tenure, List.of(offer(NOON, "sky__look")), NOON, false);
        assertThat(shown().tools()).containsOnlyKeys("sky__look");
        assertThat(due(tenure, List.of(offer(NOON, "sky__look")), NOON.plusSeconds(5), false)).isEmpty();
        write(tenure, List.of(offer(NOON, "sky__look")), NOON.plusSeconds(10), true);
        assertThat(shown().lease()).isEqualTo(NOON.plusSeconds(40));
    }

    @Test
    void anHeirKeepsForOneLeaseWhatItsExtensionIsStillToPublish() {
        write(tenure("w1", NOON), List.of(offer(NOON, "sky__look", "sky__forecast")), NOON, true);
        Instant later = NOON.plusSeconds(8);
        RegistrationWriter heir = tenure("w2", later);

        write(heir, List.of(offer(later)), later, true);
        assertThat(shown().tools()).containsOnlyKeys("sky__forecast", "sky__look");
        assertThat(shown().worker()).isEqualTo("w2");

        write(heir, List.of(offer(later, "sky__look")), later.plusSeconds(20), true);
        assertThat(shown().tools()).hasSize(2);
        write(heir, List.of(offer(later, "sky__look")), later.plus(LEASE), true);
        assertThat(shown().tools()).containsOnlyKeys("sky__look");
    }

    @Test
    void whatAnExtensionTookBackIsGoneAtOnce() {
        RegistrationWriter tenure = tenure("w1", NOON);
        write(tenure, List.of(offer(NOON, "sky__look", "sky__forecast")), NOON, true);
        OfferedTools fewer = new OfferedTools(WEATHER, NOON, declared("sky__look"), Set.of("sky__forecast"));

        write(tenure, List.of(fewer), NOON.plusSeconds(1), false);

        assertThat(shown().tools()).containsOnlyKeys("sky__look");
    }

    @Test
    void anExtensionThatWasLoadedAgainHasOneLeaseToPublishAgain() {
        RegistrationWriter tenure = tenure("w1", NOON);
        write(tenure, List.of(offer(NOON, "sky__look")), NOON, true);
        Instant reloaded = NOON.plusSeconds(600);
        write(tenure, List.of(offer(NOON, "sky__look")), reloaded.minusSeconds(1), true);

        write(tenure, List.of(offer(reloaded)), reloaded, true);
        assertThat(shown().tools()).containsOnlyKeys("sky__look");
        write(tenure, List.of(offer(reloaded)), reloaded.plus(LEASE), true);
        assertThat(topic.view().registrations()).isEmpty();
    }

    @Test
    void whatNobodyOffersAnyMoreGetsTombstones() {
        RegistrationWriter tenure = tenure("w1", NOON);
        write(tenure, List.of(offer(NOON, "sky__look")), NOON, true);
        write(tenure, List.of(offer(NOON, "sky__look")), NOON.plusSeconds(40), true);

        write(tenure, List.of(), NOON.plusSeconds(41), false);
        assertThat(topic.view().registrations()).isEmpty();
    }

    @Test
    void whatLapsedBeforeIsNotTakenOverButRemoved() {
        write(tenure("w1", NOON), List.of(offer(NOON, "sky__look")), NOON, true);
        Instant later = NOON.plusSeconds(3600);

        write(tenure("w2", later), List.of(), later, true);
        assertThat(topic.view().registrations()).isEmpty();
    }

    @Test
    void whatWasRemovedIsShownWholeWhenItIsOfferedAgain() {
        RegistrationWriter tenure = tenure("w1", NOON);
        write(tenure, List.of(offer(NOON, "sky__look")), NOON, true);
        write(tenure, List.of(), NOON.plusSeconds(40), true);
        assertThat(topic.view().registrations()).isEmpty();

        assertThat(due(tenure, List.of(), NOON.plusSeconds(41), true)).as("nothing is left to remove").isEmpty();
        write(tenure, List.of(offer(NOON, "sky__look")), NOON.plusSeconds(42), true);
        assertThat(shown().tools()).containsOnlyKeys("sky__look");
        assertThat(shown().lease()).isEqualTo(NOON.plusSeconds(72));
    }

    private RegistrationWriter tenure(String worker, Instant since) {
        return new RegistrationWriter(worker, LEASE, since, topic.view());
    }

    private List<RegistrationPlan> due(RegistrationWriter tenure, List<OfferedTools> offered, Instant now,
            boolean renew) {
        return tenure.due(offered, now, renew);
    }

    private void write(RegistrationWriter tenure, List<OfferedTools> offered, Instant now, boolean renew) {
        List<RegistrationPlan> plans = due(tenure, offered, now, renew);
        assertThat(plans).isNotEmpty();
        plans.forEach(plan -> {
            plan.entries().forEach(entry -> topic.apply(entry.key(), entry.value()));
            tenure.wrote(plan);
        });
    }

    private Registration shown() {
        return requireNonNull(topic.view().registrations().get(WEATHER.namespace()));
    }

    private static OfferedTools offer(Instant openedAt, String... tools) {
        return new OfferedTools(WEATHER, openedAt, declared(tools), Set.of());
    }

    private static Map<String, ToolDeclaration> declared(String... tools) {
        return Stream.of(tools).collect(Collectors.toMap(name -> name,
                name -> ToolDeclaration.of(name, "does it", Json.MAPPER.createObjectNode())));
    }
}
