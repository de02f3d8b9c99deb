package dev.toolfleet.worker.app;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallsRouteTest {
    @Test
    void eachPartitionThatIsNotReadHasItsReasons() {
        assertThat(CallsRoute.json("w1", "i", List.of(),
                new TreeMap<>(Map.of(0, List.of("lane_full"), 1, List.of("quarantined", "unreadable"))),
                call -> Optional.empty()).path("held"))
                .hasToString("[{\"partition\":0,\"reasons\":[\"lane_full\"]},{\"partition\":1,"
                        + "\"reasons\":[\"quarantined\",\"unreadable\"]}]");
    }
}
