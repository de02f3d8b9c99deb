package dev.toolfleet.worker.app;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

import dev.toolfleet.worker.lane.Lanes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallsRouteTest {
    @Test
    void withoutAnInstanceThereAreNumbersOfAllCalls() {
        assertThat(CallsRoute.totals("w1", new Lanes.Totals(2, 3, OptionalLong.of(1_000)),
                new TreeMap<>(Map.of(4, List.of("worker_full"))), List.of("it drains")))
                .hasToString("{\"worker\":\"w1\",\"running\":2,\"queued\":3,\"oldest\":\"1970-01-01T00:00:01Z\","
                        + "\"held\":[{\"partition\":4,\"reasons\":[\"worker_full\"]}],\"notReady\":[\"it drains\"]}");
        assertThat(CallsRoute.totals("w1", new Lanes.Totals(0, 0, OptionalLong.empty()), new TreeMap<>(), List.of()))
                .hasToString("{\"worker\":\"w1\",\"running\":0,\"queued\":0,\"held\":[],\"notReady\":[]}");
    }

    @Test
    void eachPartitionThatIsNotReadHasItsReasons() {
        assertThat(CallsRoute.json("w1", "i", List.of(),
                new TreeMap<>(Map.of(0, List.of("lane_full"), 1, List.of("quarantined", "unreadable"))),
                call -> Optional.empty()).path("held"))
                .hasToString("[{\"partition\":0,\"reasons\":[\"lane_full\"]},{\"partition\":1,"
                        + "\"reasons\":[\"quarantined\",\"unreadable\"]}]");
    }
}
