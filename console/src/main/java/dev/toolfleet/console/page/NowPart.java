package dev.toolfleet.console.page;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.console.operate.OperatorCommands.FleetState;
import dev.toolfleet.console.operate.OperatorCommands.PartitionState;
import dev.toolfleet.console.operate.OperatorCommands.WorkerState;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;

/// Live part of the page *Now*. Pure.
///
/// @param load open calls and rates
/// @param fleet the workers; empty while they are being asked
record NowPart(FleetLoad load, Optional<FleetState> fleet) {
    private static final int RATE_MINUTES = 5;

    /// Number with its name and the list behind it.
    ///
    /// @param path of the list; empty for none
    record Tile(String label, String value, String note, String path) {}

    /// Returns the state of the fleet in one or two sentences.
    String sentence() {
        return calls() + " " + workers();
    }

    private String calls() {
        long open = load.open();
        if (open == 0)
            return "All quiet: no call is open.";
        List<String> parts = new ArrayList<>();
        add(parts, load.stages(), CallStage.APPROVAL, "waits for a person", "wait for a person");
        add(parts, load.stages(), CallStage.PENDING, "waits for work elsewhere", "wait for work elsewhere");
        long rest = open - count(CallStage.APPROVAL) - count(CallStage.PENDING);
        if (rest > 0)
            parts.addFirst(rest + (rest == 1 ? " is queued or runs" : " are queued or run"));
        return open + (open == 1 ? " call is open: " : " calls are open: ") + String.join(", ", parts) + ".";
    }

    private static void add(List<String> parts, Map<CallStage, Long> stages, CallStage stage, String one,
            String many) {
        long count = stages.getOrDefault(stage, 0L);
        if (count > 0)
            parts.add(count + " " + (count == 1 ? one : many));
    }

    private long count(CallStage stage) {
        return load.stages().getOrDefault(stage, 0L);
    }

    private String workers() {
        if (fleet.isEmpty())
            return "The workers are being asked.";
        List<WorkerState> workers = fleet.get().workers();
        if (!fleet.get().isKnown())
            return "The workers are not known.";
        if (workers.isEmpty())
            return "No worker runs: calls wait until one starts.";
        long unowned = fleet.get().partitions().stream().filter(one -> one.owner().isEmpty()).count();
        String names = workers.size() == 1 ? "1 worker has" : workers.size() + " workers have";
        return unowned == 0
                ? names + " all " + fleet.get().partitions().size() + " partitions."
                : names + " partitions, and " + unowned + " of " + fleet.get().partitions().size() + " have no owner.";
    }

    /// Returns the numbers at the top.
    List<Tile> tiles() {
        long queued = count(CallStage.ACCEPTED) + count(CallStage.RUNNING) + count(CallStage.RESUMED);
        return List.of(
                new Tile("Queued or running", Long.toString(queued), oldest(), CallQuery.ALL.inState("open").path()),
                new Tile("Wait for approval", Long.toString(count(CallStage.APPROVAL)), "decide in Approvals",
                        Section.APPROVALS.path()),
                new Tile("Wait for work elsewhere", Long.toString(count(CallStage.PENDING)), "behind handles",
                        CallQuery.ALL.inState("pending").path()),
                new Tile("Accepted a minute", rate(FleetLoad.Minute::accepted), "mean of the last 5 minutes", ""),
                new Tile("Failed in an hour", Long.toString(sum(load.minutes(), FleetLoad.Minute::failed)),
                        "of " + sum(load.minutes(), FleetLoad.Minute::ended) + " that ended",
                        CallQuery.FAILED_IN_AN_HOUR.path()));
    }

    private String oldest() {
        return load.tools().stream().map(FleetLoad.ToolLoad::oldestAt).min(Instant::compareTo)
                .map(at -> "the oldest since " + SpanText.clock(at)).orElse("none is open");
    }

    private interface Count {
        long of(FleetLoad.Minute minute);
    }

    private static long sum(List<FleetLoad.Minute> minutes, Count number) {
        return minutes.stream().mapToLong(number::of).sum();
    }

    private String rate(Count number) {
        int size = load.minutes().size();
        // The last minute is not over.
        List<FleetLoad.Minute> whole = load.minutes().subList(Math.max(0, size - 1 - RATE_MINUTES),
                Math.max(0, size - 1));
        return whole.isEmpty() ? "0" : Long.toString(Math.round(sum(whole, number) / (double) whole.size()));
    }

    /// Returns the times and series of the chart, as JSON: seconds, accepted, ended, failed.
    String chart() {
        ArrayNode series = Json.MAPPER.createArrayNode();
        ArrayNode times = series.addArray();
        ArrayNode accepted = series.addArray();
        ArrayNode ended = series.addArray();
        ArrayNode failed = series.addArray();
        for (FleetLoad.Minute minute : load.minutes()) {
            times.add(minute.start().getEpochSecond());
            accepted.add(minute.accepted());
            ended.add(minute.ended());
            failed.add(minute.failed());
        }
        return series.toString();
    }

    /// Returns the stages of a tool's open calls in words.
    static String stages(FleetLoad.ToolLoad tool) {
        Map<CallStage, Long> counts = new EnumMap<>(CallStage.class);
        counts.putAll(tool.stages());
        return counts.entrySet().stream().filter(one -> one.getValue() > 0)
                .map(one -> one.getValue() + " " + StatusMark.of(one.getKey(), null, null).text())
                .collect(Collectors.joining(", "));
    }

    /// Returns the workers and partitions that need a look, one sentence each.
    List<String> troubles() {
        List<String> troubles = new ArrayList<>();
        if (!load.missing().isEmpty())
            troubles.add("Calls of the partitions " + load.missing() + " are missing here: the gateway that owns them"
                    + " does not answer.");
        fleet.ifPresent(state -> {
            state.problems().forEach(troubles::add);
            for (PartitionState one : state.partitions()) {
                if (!one.held().isEmpty())
                    troubles.add("Partition " + one.partition() + " is held by " + one.owner() + ": "
                            + String.join(", ", one.held()) + ".");
            }
        });
        return troubles;
    }
}
