package dev.toolfleet.catalog.sweep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class ContentSweepIT {
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final Instant OLD = NOW.minus(ContentSweep.untouched(RETENTION)).minusSeconds(1);
    private static final Instant YOUNG = NOW.minus(ContentSweep.untouched(RETENTION)).plusSeconds(1);

    @SuppressWarnings("NullAway.Init")
    private SweptTopics topics;

    @BeforeEach
    void create(KafkaFixture kafka) {
        topics = new SweptTopics(kafka);
    }

    @AfterEach
    void close() {
        topics.close();
    }

    @Test
    void aContentThatNothingNamesGoesOnceItIsOld() {
        topics.content("old", OLD);
        topics.content("young", YOUNG);
        topics.content("again", OLD);
        topics.content("again", YOUNG);

        assertThat(sweep().run()).containsExactly("old");
        assertThat(topics.standing()).containsExactlyInAnyOrder("young", "again");
        assertThat(sweep().run()).isEmpty();
    }

    @Test
    void whatAStepNamesStaysAsLongAsTheStepDoes() {
        for (String digest : List.of("newest", "recent", "gone", "left"))
            topics.content(digest, OLD);
        topics.step("i", 0, "left", List.of());
        topics.step("i", 0, "newest", List.of("recent"));
        topics.step("j", 1, "gone", List.of());
        topics.noStep("j", 1, OLD);

        assertThat(sweep().run()).containsExactlyInAnyOrder("gone", "left");
        assertThat(topics.standing()).containsExactlyInAnyOrder("newest", "recent");
    }

    @Test
    void whatAnOpenHandleNamesStaysUntilAnHourAfterItsEnd() {
        for (String digest : List.of("open", "ended", "justEnded"))
            topics.content(digest, OLD);
        topics.handle("h1", "open");
        topics.handle("h2", "ended");
        topics.noHandle("h2", NOW.minus(Duration.ofHours(2)));
        topics.handle("h3", "justEnded");
        topics.noHandle("h3", NOW.minusSeconds(1));

        assertThat(sweep().run()).containsExactly("ended");
        assertThat(topics.standing()).containsExactlyInAnyOrder("open", "justEnded");
    }

    /// A service answers with an old content while another one removes it: it has written it, has not committed yet,
    /// and its record stands before the tombstone.
    @Test
    void aContentThatSomebodyIsWritingAgainStays() {
        topics.content("used", OLD);
        topics.content("unused", OLD);
        try (TopicReader reader = new TopicReader(topics.clientProperties());
                KafkaProducer<String, byte[]> service = topics.transactional("service")) {
            ContentSweep.Found found = sweep().find(reader);
            assertThat(found.digests()).containsExactlyInAnyOrder("used", "unused");
            service.beginTransaction();
            topics.content(service, "used", NOW);
            service.flush();

            assertThat(sweep().remove(reader, found)).containsExactly("unused");
            service.commitTransaction();
        }
        assertThat(topics.standing()).containsExactly("used");
    }

    @Test
    void aContentThatIsWrittenBehindItsTombstoneStands() {
        topics.content("used", OLD);
        try (KafkaProducer<String, byte[]> service = topics.transactional("service")) {
            service.beginTransaction();
            assertThat(sweep().run()).containsExactly("used");
            topics.content(service, "used", NOW);
            service.commitTransaction();
        }
        assertThat(topics.standing()).containsExactly("used");
    }

    @Test
    void aStepWhoseTransactionIsOpenIsWaitedFor() {
        topics.content("used", OLD);
        try (KafkaProducer<String, byte[]> service = topics.transactional("service")) {
            service.beginTransaction();
            topics.step(service, "i", 0, "used", List.of());
            service.flush();
            CompletableFuture<Set<String>> round = CompletableFuture.supplyAsync(sweep()::run);
            topics.awaitReaders();
            assertThat(round).isNotDone();
            service.commitTransaction();

            assertThat(round).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(Set.of());
        }
        assertThat(topics.standing()).containsExactly("used");
    }

    /// The removing service slept, and another has taken over.
    @Test
    void aSweepThatWasOvertakenRemovesNothing() {
        topics.content("old", OLD);
        try (TopicReader reader = new TopicReader(topics.clientProperties());
                Removal overtaken = topics.removal(reader)) {
            try (Removal later = topics.removal(reader)) {
                assertThat(later.remove(List.of(), 0)).isEmpty();
            }
            assertThatThrownBy(() -> overtaken.remove(List.of("old"), 1)).isInstanceOf(KafkaException.class);
        }
        assertThat(topics.standing()).containsExactly("old");
    }

    private ContentSweep sweep() {
        return new ContentSweep(topics.names(), topics.clientProperties(), topics.sweepId(), RETENTION,
                Clock.fixed(NOW, ZoneOffset.UTC));
    }
}
