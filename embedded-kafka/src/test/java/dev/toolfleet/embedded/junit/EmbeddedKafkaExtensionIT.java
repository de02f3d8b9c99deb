package dev.toolfleet.embedded.junit;

import java.net.Socket;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.testkit.engine.EngineTestKit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

@Timeout(120)
class EmbeddedKafkaExtensionIT {

    private static final List<KafkaFixture> SEEN = new CopyOnWriteArrayList<>();

    @Test
    void classesShareOneBrokerThatEndsWithTheRunAndTestsHaveTheirOwnNames() {
        SEEN.clear();

        EngineTestKit.engine("junit-jupiter").selectors(selectClass(FirstSample.class), selectClass(SecondSample.class))
                .execute()
                .testEvents().assertStatistics(events -> events.started(3).succeeded(3));

        assertThat(SEEN).hasSize(3);
        assertThat(SEEN).extracting(KafkaFixture::prefix).doesNotHaveDuplicates()
                .allMatch(prefix -> prefix.matches("t\\d+-"));
        assertThat(SEEN).extracting(KafkaFixture::bootstrapServers).containsOnly(SEEN.getFirst().bootstrapServers());
        // The broker of a container may have the address of the engine's bridge.
        URI place = URI.create("kafka://" + SEEN.getFirst().bootstrapServers());
        assertThatIOException().isThrownBy(() -> new Socket(place.getHost(), place.getPort()).close());
    }

    @EmbeddedKafkaTest
    static class FirstSample {

        private final KafkaFixture ofConstructor;

        FirstSample(KafkaFixture ofConstructor) {
            this.ofConstructor = ofConstructor;
        }

        @BeforeEach
        void lifecycleMethodsGetTheFixtureOfTheirTest(KafkaFixture kafka) {
            assertThat(kafka).isSameAs(ofConstructor);
        }

        @Test
        void createsATopicThatIsThereAtOnce(KafkaFixture kafka) throws Exception {
            SEEN.add(kafka);
            assertThat(kafka).isSameAs(ofConstructor);

            String topic = kafka.create("calls", 3);

            assertThat(topic).isEqualTo(kafka.prefix() + "calls").isEqualTo(kafka.topic("calls"));
            assertThat(kafka.admin().describeTopics(List.of(topic)).allTopicNames().get().values()).singleElement()
                    .satisfies(description -> assertThat(description.partitions()).hasSize(3));
        }

        @Test
        void mayCreateATopicOfTheSameName(KafkaFixture kafka) throws Exception {
            SEEN.add(kafka);
            String topic = kafka.create("calls", 1);

            Set<String> names = new HashSet<>(kafka.admin().listTopics().names().get());
            names.removeIf(name -> name.startsWith("__"));
            assertThat(names).as("topics of earlier tests are gone").containsExactly(topic);
        }
    }

    @EmbeddedKafkaTest
    static class SecondSample {

        @Test
        void runsOnTheSameBroker(KafkaFixture kafka) {
            SEEN.add(kafka);
        }
    }
}
