package dev.toolfleet.worker.poll;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FollowedPartitionTest {
    private final List<Arrival.Granted> offered = new ArrayList<>();
    private final ResumedListener ends = new ResumedListener() {
        @Override
        public void tracked(int partition, long epoch, Offsets offsets, long next) {}

        @Override
        public void end(Position at, ResumedCall call, Runnable done) {}

        @Override
        public boolean offer(Arrival.Granted granted) {
            return offered.add(granted);
        }

        @Override
        public boolean began(Arrival.Granted granted) {
            return false;
        }

        @Override
        public boolean settled(int partition, long epoch, long position) {
            return true;
        }
    };

    @Test
    void noMoreApprovedCallsAreOnTheirWayThanAMetadataCanHold() {
        FollowedPartition partition = new FollowedPartition(7, DoneOffsets.from(0));
        ToolCall call = ToolCall.of("c", "t__x", Json.MAPPER.createObjectNode(), "i");
        ResumedCall.Grant grant = new ResumedCall.Grant("h", "sha256:" + "ab".repeat(32), "r", null, null, null, "ann",
                Instant.EPOCH);
        for (long offset = 0; offset < FollowedPartition.MAX_GRANTED + 2L; offset++)
            partition.granted(Position.resumed(0, 7, offset), new ResumedCall(call, 4, grant, null, null, null), 9,
                    ends);
        partition.offerHeld(ends);
        assertThat(offered).hasSize(FollowedPartition.MAX_GRANTED);

        offered.getFirst().done().run();
        partition.offerHeld(ends);

        assertThat(offered).hasSize(FollowedPartition.MAX_GRANTED + 1);
        assertThat(partition.holds()).isTrue();
    }
}
