package dev.toolfleet.cli.backtest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.PublishedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TravelledLabelsTest {
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    @Test
    void aMessageGivesItsLabelFromTheFirstOneOn() {
        received(100, ReceivedLabel.of("b", "a", "e1", added("untrusted", "a")));
        received(200, ReceivedLabel.of("b", "a", "e2", added("untrusted", "a")));

        assertThat(at("b", 99)).isEmpty();
        assertThat(at("b", 100)).containsExactly("untrusted");
        assertThat(at("a", 900)).isEmpty();
    }

    /// Also labels that the other instance gets later, or has itself received.
    @Test
    void aRequesterHasAllLabelsOfTheOtherInstanceFromItsRequestOn() {
        published(50, "b", "untrusted");
        received(100, ReceivedLabel.all("a", "b", "e1"));
        published(150, "b", "sensitive");
        received(170, ReceivedLabel.of("b", "c", "e2", added("hr-data", "c")));

        assertThat(at("a", 99)).isEmpty();
        assertThat(at("a", 100)).containsExactly("untrusted");
        assertThat(at("a", 150)).containsExactlyInAnyOrder("untrusted", "sensitive");
        assertThat(at("a", 170)).containsExactlyInAnyOrder("untrusted", "sensitive", "hr-data");
        assertThat(at("b", 170)).containsExactly("hr-data");
    }

    @Test
    void instancesThatReadEachOtherInACircleAreLookedAtOnce() {
        received(10, ReceivedLabel.all("a", "b", "e1"));
        received(20, ReceivedLabel.all("b", "c", "e2"));
        received(30, ReceivedLabel.all("c", "a", "e3"));
        published(5, "c", "untrusted");

        assertThat(at("b", 20)).containsExactly("untrusted");
        assertThat(at("a", 19)).isEmpty();
        assertThat(at("a", 20)).containsExactly("untrusted");
        assertThat(at("c", 900)).as("its own label that came back").isEmpty();
    }

    @Test
    void whatIsNoLabelIsPassedOver() {
        records.add(record(10, "no label".getBytes(StandardCharsets.UTF_8)));
        records.add(record(20, "{\"kind\":\"received\"}".getBytes(StandardCharsets.UTF_8)));
        records.add(record(25, null));
        received(30, ReceivedLabel.of("b", "a", "e1", added("untrusted", "a")).cleared());

        assertThat(at("b", 900)).isEmpty();
    }

    @Test
    void messagesBeyondTheBoundAreCounted() {
        received(10, ReceivedLabel.of("b", "a", "e1", added("untrusted", "a")));
        received(20, ReceivedLabel.of("c", "a", "e2", added("untrusted", "a")));

        TravelledLabels labels = TravelledLabels.read(sink -> records.forEach(sink::accept), 1);

        assertThat(labels.dropped()).isEqualTo(1);
        assertThat(labels.with(PastLabels.NONE, "b", 900).isEmpty()).isFalse();
        assertThat(labels.with(PastLabels.NONE, "c", 900).isEmpty()).isTrue();
    }

    private Set<String> at(String instance, long millis) {
        PastLabels labels = TravelledLabels.read(sink -> records.forEach(sink::accept), 100).with(PastLabels.NONE,
                instance, millis);
        assertThat(labels.before()).isEqualTo(labels.after());
        return labels.after();
    }

    private static AddedLabel added(String label, String instance) {
        return new AddedLabel(label, "t__x", "call_1", 1, instance);
    }

    private void received(long millis, ReceivedLabel label) {
        records.add(record(millis, WireCodec.of(ReceivedLabel.class).write(label)));
    }

    private void published(long millis, String instance, String label) {
        records.add(record(millis, WireCodec.of(PublishedLabel.class)
                .write(new PublishedLabel(PublishedLabel.KIND, instance, 1, 1, added(label, instance)))));
    }

    private static ConsumerRecord<byte[], byte[]> record(long millis, byte @Nullable [] value) {
        return new ConsumerRecord<>("agent.label", 0, 0, millis, TimestampType.LOG_APPEND_TIME, 1, 1, new byte[0],
                value, new RecordHeaders(), Optional.empty());
    }
}
