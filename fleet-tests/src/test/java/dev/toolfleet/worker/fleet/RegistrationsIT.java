package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Tools that an extension publishes while it runs: declared by one worker, run by all, and gone with the last.
@EmbeddedKafkaTest
@ResourceLock("TestWeather")
class RegistrationsIT {
    private static final String WEATHER = RegistrationOwner.extension("acme", "pilot", "weather").namespace();

    @TempDir
    private Path folder;

    @Test
    void oneLiveWorkerDeclaresAndRenewsWhatEveryWorkerCanRun(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("registration.lease", "6s")) {
            HandMade made = new HandMade(fleet).apply(TestResources.extension("weather", TestWeather.class), pilot());
            TestWeather.publish("sky__look");
            Instant begun = Instant.now();
            Worker first = fleet.worker("w1");

            FleetResources shown = made.shown(view -> registration(view).isPresent());
            Registration registered = registration(shown).orElseThrow();
            assertThat(registered.worker()).isEqualTo("w1");
            assertThat(registered.lease())
                    .isAfterOrEqualTo(begun.plusSeconds(6).truncatedTo(ChronoUnit.MILLIS));
            List<ToolCatalogItem> items = AgentTools.items(shown, HandMade.AGENT);
            assertThat(items).extracting(ToolCatalogItem::name).containsExactly("sky__look");
            String digest = made.content(items);
            made.step("i", "s1", 1, digest);
            assertOk(fleet, HandMade.call("c1", "sky__look", "i", "s1", 1));

            Worker second = fleet.worker("w2");
            assertThat(second.problems()).isEmpty();
            first.close();
            made.shown(view -> registration(view).filter(each -> each.worker().equals("w2")
                    && each.lease().isAfter(registered.lease())).isPresent());
            assertThat(tombstones(fleet)).as("the tool was never gone").isEmpty();
            assertOk(fleet, HandMade.call("c2", "sky__look", "i", "s1", 1));

            TestWeather.publish("sky__forecast");
            made.shown(view -> registration(view).filter(each -> each.tools().size() == 2).isPresent());
            TestWeather.remove("sky__forecast");
            TestWeather.remove("sky__look");
            made.shown(view -> registration(view).filter(each -> each.revision() > registered.revision()).isPresent());
            fleet.first(Topic.RESOURCE, record -> record.value() == null && key(record.key()).equals(WEATHER
                    + "/Tool/sky__look") ? Optional.of(record) : Optional.empty());
            made.step("i", "s2", 2, digest);
            assertThat(answer(fleet, HandMade.call("c3", "sky__look", "i", "s2", 2)).error())
                    .satisfies(error -> assertThat(Objects.requireNonNull(error).suggestion())
                            .contains("Its registration by extension 'weather'"));
        }
    }

    private static void assertOk(TestFleet fleet, ToolCall call) {
        assertThat(answer(fleet, call).status()).isEqualTo(ResultStatus.OK);
    }

    private static ToolResult answer(TestFleet fleet, ToolCall call) {
        fleet.send(call);
        return fleet.result(call, result -> true);
    }

    private static List<String> tombstones(TestFleet fleet) {
        List<String> found = new ArrayList<>();
        fleet.send(Topic.RESOURCE, 0, "the end", null);
        fleet.first(Topic.RESOURCE, record -> {
            if (record.value() == null && key(record.key()).startsWith(WEATHER))
                found.add(key(record.key()));
            return key(record.key()).equals("the end") ? Optional.of(record) : Optional.empty();
        });
        return found;
    }

    private static String key(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    private static Optional<Registration> registration(FleetResources view) {
        return Optional.ofNullable(view.registrations().get(WEATHER));
    }

    private static ObjectNode pilot() {
        ObjectNode pilot = TestResources.agent("pilot");
        pilot.withObject("spec").putArray("extensions").add("Extension/weather");
        return pilot;
    }
}
