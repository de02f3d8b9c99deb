package dev.toolfleet.worker.poll;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.Configurable;
import org.jspecify.annotations.Nullable;

/// The cooperative-sticky assignor under its own name. It also records the time between this member's request to join
/// the next generation and its assignment: in between, the consumer sends no heartbeats. Made by the consumer.
public final class JoinTrackingAssignor extends CooperativeStickyAssignor implements Configurable {
    /// Consumer property that holds the [JoinState] to update.
    public static final String JOINS = "toolfleet.joins";

    private JoinState joins = new JoinState();

    /// Flag that a member is joining its group. Written by the poll thread, read by any thread.
    public static final class JoinState {
        private volatile boolean joining;

        /// Not joining.
        public JoinState() {}

        /// True while the member waits to be let into the next generation.
        public boolean isJoining() {
            return joining;
        }
    }

    /// For the consumer, which makes its assignors itself.
    public JoinTrackingAssignor() {}

    @Override
    public void configure(Map<String, ?> configs) {
        if (configs.get(JOINS) instanceof JoinState told)
            joins = told;
    }

    /// The consumer calls this for each request to join.
    @Override
    public @Nullable ByteBuffer subscriptionUserData(Set<String> topics) {
        joins.joining = true;
        return super.subscriptionUserData(topics);
    }

    @Override
    public void onAssignment(@Nullable Assignment assignment, @Nullable ConsumerGroupMetadata metadata) {
        joins.joining = false;
        super.onAssignment(assignment, metadata);
    }
}
