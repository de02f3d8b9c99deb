package dev.toolfleet.worker.completion;

import java.util.List;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.PendingCall;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.FourEyesTest.asking;
import static dev.toolfleet.worker.completion.FourEyesTest.by;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/// Approvals by several people, in the topology.
class FourEyesTopologyTest extends TopologyFixture {
    @Test
    void thePendingRecordShowsHowManyHaveApprovedAndTheCallRunsWithTheLast() {
        send(asking(2, "u1"));
        send(by("ann"));

        TestRecord<byte[], byte[]> shown = one(Topic.PENDING);
        assertThat(shown.key()).isEqualTo(utf8(HANDLE));
        PendingCall call = Handles.PENDING.read(shown.value());
        assertThat(requireNonNull(call.approval()).approvedBy()).containsExactly("ann");
        assertThat(call.approvedBy(null)).as("all else is what the worker wrote").isEqualTo(asking(2, "u1"));
        assertThat(outcomes()).isEmpty();
        // The topology reads what it wrote.
        send(call);
        send(by("u1"));
        send(by("ann"));
        assertThat(outcomes()).isEmpty();
        assertThat(letters()).containsOnlyKeys("requester", "counted");
        send(by("ben"));

        assertThat(outcomes()).singleElement().satisfies(resumed -> {
            assertThat(requireNonNull(resumed.grant()).approvers()).isEqualTo(List.of("ann", "ben"));
            assertThat(resumed.call()).isEqualTo(asking(2, "u1").call());
        });
        assertThat(read(Topic.PENDING)).singleElement()
                .satisfies(tombstone -> assertThat(tombstone.value()).isNull());
        assertThat(events()).extracting(AuditEvent::action).containsExactly("approval-counted", "approval-refused",
                "approval-refused", "approved");
    }

    @Test
    void eventsSayHowManyOfHowMany() {
        send(asking(2, null));
        send(by("ann"));
        send(by("ben"));

        assertThat(events()).extracting(AuditEvent::by, AuditEvent::approvals, AuditEvent::quorum).containsExactly(
                tuple("ann", 1, 2), tuple("ben", 2, 2));
    }

    @Test
    void decisionsBeforeThePendingRecordFindTheWholeCall() {
        send(by("ann"));
        send(by("ben"));
        send(asking(2, null));

        assertThat(outcomes()).singleElement()
                .satisfies(resumed -> assertThat(resumed.call()).isEqualTo(asking(2, null).call()));
        assertThat(read(Topic.PENDING).getLast().value()).as("what stands there in the end").isNull();
    }
}
