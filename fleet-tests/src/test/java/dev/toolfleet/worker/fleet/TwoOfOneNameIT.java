package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Two workers of one name.
@EmbeddedKafkaTest
class TwoOfOneNameIT {

    @Test
    void theSecondRefusesToStartAndTheFirstKeepsWorking(KafkaFixture kafka, @TempDir Path folder)
            throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("group.sessionTimeout", "6s")) {
            Worker first = fleet.worker("same");
            fleet.announce("i", "s1");

            assertThatThrownBy(() -> fleet.worker("same")).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another worker named 'same'").hasMessageContaining("worker.name");

            assertThat(first.ended()).isNotDone();
            assertThat(first.notReady()).isEmpty();
            fleet.send(TestFleet.call("c1", "t__echo", "i", Map.of("n", 1)));
            assertThat(fleet.results(1)).singleElement().extracting(ToolResult::error).isNull();
        }
    }
}
