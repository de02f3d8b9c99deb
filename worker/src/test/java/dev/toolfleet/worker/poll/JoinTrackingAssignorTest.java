package dev.toolfleet.worker.poll;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JoinTrackingAssignorTest {

    @Test
    void aMemberJoinsFromItsRequestToItsAssignment() {
        JoinTrackingAssignor.JoinState joins = new JoinTrackingAssignor.JoinState();
        JoinTrackingAssignor assignor = new JoinTrackingAssignor();
        assignor.configure(Map.of(JoinTrackingAssignor.JOINS, joins));
        assertThat(joins.isJoining()).isFalse();

        var _ = assignor.subscriptionUserData(Set.of("calls"));
        assertThat(joins.isJoining()).isTrue();

        assignor.onAssignment(new ConsumerPartitionAssignor.Assignment(List.of()), group());
        assertThat(joins.isJoining()).isFalse();
    }

    @Test
    void itsNameIsTheOneThatOtherMembersKnow() {
        assertThat(new JoinTrackingAssignor().name())
                .isEqualTo(CooperativeStickyAssignor.COOPERATIVE_STICKY_ASSIGNOR_NAME);
    }

    private static ConsumerGroupMetadata group() {
        try (MockConsumer<byte[], byte[]> member = new MockConsumer<>("earliest")) {
            return member.groupMetadata();
        }
    }
}
