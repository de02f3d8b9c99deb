package dev.toolfleet.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.cli.console.FleetPicture.Stretch;
import dev.toolfleet.cli.explain.GroupState;
import dev.toolfleet.cli.explain.WorkerQueries.Answers;
import dev.toolfleet.console.operate.OperatorCommands.FleetState;
import dev.toolfleet.console.operate.OperatorCommands.HostState;
import dev.toolfleet.console.operate.OperatorCommands.PartitionState;
import dev.toolfleet.console.operate.OperatorCommands.WorkerState;
import dev.toolfleet.json.Json;
import dev.toolfleet.worker.commit.DoneOffsets;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FleetPictureTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:10Z");
    private static final GroupState GROUP = new GroupState("g",
            List.of(new GroupState.Member("w1", "m1", "10.0.0.1", Set.of(0)),
                    new GroupState.Member("w2", "m2", "10.0.0.2", Set.of(1))),
            Map.of());
    private static final Map<Integer, Stretch> LOG = Map.of(0, new Stretch(10, 3), 1, new Stretch(7, 0), 2,
            new Stretch(5, 5));

    @Test
    void aWorkerThatIsSilentStandsWithItsPartitions() {
        FleetState state = new FleetPicture(GROUP, LOG, false, answers("""
                {"worker": "w1", "running": 2, "queued": 1, "oldest": "2026-11-21T20:00:00Z",
                 "held": [{"partition": 0, "reasons": ["worker_full", "later"]}], "notReady": ["it drains"]}""",
                "http://10.0.0.2:7071 (ConnectException)"),
                answers("""
                        {"worker": "w1", "started": 3, "hosts": [{"host": "acme (node)", "kind": "node", "version": "22", "pid": 4711,
                         "calls": 1, "memory": 1024}], "paused": [{"host": "b (python)", "reason": "it ended"}]}""",
                        "http://10.0.0.2:7071 (ConnectException)"),
                NOW).state();

        assertThat(state.workers()).containsExactly(
                new WorkerState("w1", "10.0.0.1", Set.of(0), true, 2, 1, Duration.ofSeconds(10),
                        List.of(new HostState("acme (node)", 4711, "runs", 1024, 1),
                                new HostState("b (python)", 0, "paused: it ended", 0, 0)),
                        3),
                new WorkerState("w2", "10.0.0.2", Set.of(1), false, 0, 0, null, List.of(), 0));
        assertThat(state.partitions()).containsExactly(
                new PartitionState(0, "w1", 10, 3,
                        List.of("the worker, or the partition's share of worker.maxInFlight, is full (worker_full)",
                                "later")),
                new PartitionState(1, "w2", 7, 0, List.of()), new PartitionState(2, "", 5, 5, List.of()));
        assertThat(state.problems()).containsExactly(
                "A worker does not answer over HTTP: http://10.0.0.2:7071 (ConnectException).",
                "Worker w2 has not answered over HTTP; only its partitions are known.",
                "Worker w1 is not ready: it drains.");
    }

    @Test
    void aWorkerOutsideOfTheGroupIsShownToo() {
        FleetState state = new FleetPicture(new GroupState("g", List.of(), Map.of()), LOG, false,
                answers("{\"worker\": \"w3\", \"running\": 0, \"queued\": 0, \"held\": [], \"notReady\": []}"),
                Answers.NONE, NOW).state();

        assertThat(state.workers()).containsExactly(
                new WorkerState("w3", "", Set.of(), true, 0, 0, null, List.of(), 0));
        assertThat(state.problems()).containsExactly("No worker runs: the group g has no members.");
    }

    @Test
    void withoutAddressesOneSentenceIsEnough() {
        FleetState state = new FleetPicture(GROUP, LOG, true, Answers.NONE, Answers.NONE, NOW).state();

        assertThat(state.workers()).extracting(WorkerState::answers).containsOnly(false);
        assertThat(state.problems()).singleElement().asString().contains("worker.http.port");
    }

    @Test
    void whatIsDoneBeyondTheFrontierIsNotOpen() {
        assertThat(FleetPicture.open(DoneOffsets.from(4), 10)).isEqualTo(6);
        assertThat(FleetPicture.open(new DoneOffsets(4, List.of(1, 2, 1, 1)), 10)).isEqualTo(3);
        assertThat(FleetPicture.open(DoneOffsets.from(10), 4)).isZero();
    }

    private static Answers answers(String body, String... silent) {
        return new Answers(List.of(Json.MAPPER.readTree(body)), List.of(silent));
    }
}
