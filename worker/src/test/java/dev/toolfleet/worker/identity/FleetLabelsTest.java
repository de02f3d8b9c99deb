package dev.toolfleet.worker.identity;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.PublishedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FleetLabelsTest {
    private final FleetLabels labels = new FleetLabels();

    @Test
    void aMessageGivesItsReceiverTheLabelItCarries() {
        apply(ReceivedLabel.of("t", "s", "e1", added("untrusted", "s")));

        assertThat(labels.receivedBy("t", "t")).containsOnlyKeys("untrusted").containsValue(added("untrusted", "s"));
        assertThat(labels.receivedBy("s", "s")).isEmpty();
    }

    @Test
    void aLaterLabelOfTheSenderIsNotTheReceivers() {
        apply(ReceivedLabel.of("t", "s", "e1", added("untrusted", "s")));
        apply(own("s", "sensitive"));

        assertThat(labels.receivedBy("t", "t")).containsOnlyKeys("untrusted");
    }

    @Test
    void aRequesterHasEveryLabelOfTheOther() {
        apply(ReceivedLabel.all("s", "t", "e1"));
        apply(own("t", "untrusted"));
        apply(ReceivedLabel.of("t", "u", "e2", added("hr-data", "u")));

        assertThat(labels.receivedBy("s", "s")).containsOnlyKeys("hr-data", "untrusted");
    }

    @Test
    void instancesThatReadEachOtherHaveEachOthersLabels() {
        apply(ReceivedLabel.all("a", "b", "e1"));
        apply(ReceivedLabel.all("b", "c", "e2"));
        apply(ReceivedLabel.all("c", "a", "e3"));
        apply(own("c", "untrusted"));

        assertThat(labels.receivedBy("a", "a")).containsOnlyKeys("untrusted");
        assertThat(labels.receivedBy("b", "b")).containsOnlyKeys("untrusted");
        assertThat(labels.receivedBy("c", "c")).as("its own").isEmpty();
    }

    /// Otherwise: an operator clears the label, and it counts by the way of the instance that it was sent to.
    @Test
    void aLabelThatComesBackIsItsOwnersAffair() {
        apply(ReceivedLabel.of("t", "s", "e1", added("untrusted", "s")));
        apply(ReceivedLabel.all("s", "t", "e2"));
        apply(ReceivedLabel.of("s", "t", "e3", added("untrusted", "s")));

        assertThat(labels.receivedBy("s", "s")).isEmpty();
    }

    @Test
    void anOperatorsWordMeansOneEvent() {
        ReceivedLabel seen = ReceivedLabel.of("t", "s", "e1", added("untrusted", "s"));
        apply(seen);
        apply(seen.cleared());
        assertThat(labels.receivedBy("t", "t")).isEmpty();
        assertThat(labels.records("t")).isEmpty();

        apply(ReceivedLabel.of("t", "s", "e2", added("untrusted", "s")));
        assertThat(labels.receivedBy("t", "t")).containsOnlyKeys("untrusted");
        assertThat(labels.records(null)).extracting(ReceivedLabel::eventId).containsExactly("e2");
    }

    @Test
    void theWordCountsWhicheverRecordComesFirst() {
        ReceivedLabel seen = ReceivedLabel.of("t", "s", "e1", added("untrusted", "s"));
        apply(seen.cleared());
        apply(seen);

        assertThat(labels.receivedBy("t", "t")).isEmpty();
    }

    @Test
    void aTombstoneEndsWhatWasPublished() {
        apply(ReceivedLabel.all("s", "t/1", "e1"));
        apply(own("t/1", "untrusted"));
        assertThat(labels.isPublished("t/1", "untrusted/3")).isTrue();
        assertThat(labels.isPublished("t/1", "untrusted/4")).isFalse();

        labels.apply(0, own("t/1", "untrusted").key(), null, 0);
        labels.apply(0, "no key", null, 0);

        assertThat(labels.isPublished("t/1", "untrusted/3")).isFalse();
        assertThat(labels.receivedBy("s", "s")).isEmpty();
    }

    @Test
    void aRecordOfALaterVersionIsPassedOver() {
        labels.apply(0, "k", "{\"kind\":\"later\"}".getBytes(StandardCharsets.UTF_8), 0);
        labels.apply(0, "k", "no JSON".getBytes(StandardCharsets.UTF_8), 0);
        labels.apply(0, "k", "{\"kind\":\"received\"}".getBytes(StandardCharsets.UTF_8), 0);

        assertThat(labels.records(null)).isEmpty();
    }

    @Test
    void keysTellInstancesWithAnyNameApart() {
        assertThat(List.of(ReceivedLabel.of("a\",\"b", "c", "e", added("untrusted", "c")).key(),
                ReceivedLabel.of("a", "b\",\"c", "e", added("untrusted", "c")).key())).doesNotHaveDuplicates();
    }

    private void apply(ReceivedLabel label) {
        labels.apply(0, label.key(), WireCodec.of(ReceivedLabel.class).write(label), 0);
    }

    private void apply(PublishedLabel label) {
        labels.apply(0, label.key(), WireCodec.of(PublishedLabel.class).write(label), 0);
    }

    private static PublishedLabel own(String instance, String label) {
        return new PublishedLabel(PublishedLabel.KIND, instance, 3, 3, added(label, instance));
    }

    private static AddedLabel added(String label, String instance) {
        return new AddedLabel(label, "web__get", "c1", 7, instance);
    }
}
