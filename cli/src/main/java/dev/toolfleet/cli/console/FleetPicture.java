package dev.toolfleet.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.cli.explain.GroupState;
import dev.toolfleet.cli.explain.HoldText;
import dev.toolfleet.cli.explain.WorkerQueries;
import dev.toolfleet.console.operate.OperatorCommands.FleetState;
import dev.toolfleet.console.operate.OperatorCommands.HostState;
import dev.toolfleet.console.operate.OperatorCommands.PartitionState;
import dev.toolfleet.console.operate.OperatorCommands.WorkerState;
import dev.toolfleet.worker.commit.DoneOffsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// Facts about the fleet at one moment, from the brokers and from the workers. Pure.
///
/// @param log by partition of `tool.call`
/// @param unreachable true if no worker has an address
/// @param calls answers of the workers about their calls
/// @param hosts answers of the workers about their hosts
record FleetPicture(GroupState group, Map<Integer, Stretch> log, boolean unreachable, WorkerQueries.Answers calls,
        WorkerQueries.Answers hosts, Instant now) {
    private static final String WORKER = "worker";

    /// Partition's log.
    ///
    /// @param end the offset behind its last record
    /// @param lag records that are not done
    record Stretch(long end, long lag) {}

    /// Returns the number of offsets before the end that are not done, markers of transactions included.
    static long open(DoneOffsets done, long end) {
        long beyond = 0;
        for (int i = 1; i < done.runs().size(); i += 2)
            beyond += done.runs().get(i);
        return Math.max(0, end - done.frontier() - beyond);
    }

    /// Returns them as pages show them.
    FleetState state() {
        Map<String, JsonNode> answered = byWorker(calls);
        return new FleetState(group.id(), workers(answered), partitions(answered), problems(answered));
    }

    private static Map<String, JsonNode> byWorker(WorkerQueries.Answers answers) {
        Map<String, JsonNode> byWorker = new TreeMap<>();
        answers.bodies().forEach(body -> byWorker.put(body.path(WORKER).asString(""), body));
        return byWorker;
    }

    private List<WorkerState> workers(Map<String, JsonNode> answered) {
        Map<String, JsonNode> processes = byWorker(hosts);
        Map<String, WorkerState> workers = new TreeMap<>();
        for (GroupState.Member member : group.members())
            workers.put(member.worker(), worker(member.worker(), member.host(), member.partitions(),
                    answered.get(member.worker()), processes.get(member.worker())));
        answered.forEach((name, body) -> workers.computeIfAbsent(name,
                other -> worker(other, "", Set.of(), body, processes.get(other))));
        return List.copyOf(workers.values());
    }

    private WorkerState worker(String name, String host, Set<Integer> partitions, @Nullable JsonNode answer,
            @Nullable JsonNode processes) {
        JsonNode said = answer == null ? MissingNode.getInstance() : answer;
        return new WorkerState(name, host, partitions, answer != null, said.path("running").asInt(0),
                said.path("queued").asInt(0), age(said.path("oldest").asString("")),
                processes == null ? List.of() : hosts(processes),
                processes == null ? 0 : processes.path("started").asLong(0));
    }

    private @Nullable Duration age(String since) {
        try {
            return since.isEmpty() ? null : Duration.between(Instant.parse(since), now);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static List<HostState> hosts(JsonNode answer) {
        List<HostState> hosts = new ArrayList<>();
        for (JsonNode host : answer.path("hosts"))
            hosts.add(new HostState(host.path("host").asString(""), host.path("pid").asLong(0), "runs",
                    host.path("memory").asLong(0), host.path("calls").asInt(0)));
        for (JsonNode host : answer.path("paused"))
            hosts.add(new HostState(host.path("host").asString(""), 0, "paused: " + host.path("reason").asString(""),
                    0, 0));
        return hosts;
    }

    private List<PartitionState> partitions(Map<String, JsonNode> answered) {
        Map<Integer, String> owners = new HashMap<>();
        group.members().forEach(
                member -> member.partitions().forEach(partition -> owners.put(partition, member.worker())));
        List<PartitionState> partitions = new ArrayList<>();
        log.forEach((partition, at) -> {
            String owner = owners.getOrDefault(partition, "");
            partitions.add(new PartitionState(partition, owner, at.end(), at.lag(),
                    held(answered.get(owner), partition)));
        });
        partitions.sort(Comparator.comparingInt(PartitionState::partition));
        return partitions;
    }

    private static List<String> held(@Nullable JsonNode owner, int partition) {
        List<String> reasons = new ArrayList<>();
        if (owner == null)
            return reasons;
        for (JsonNode held : owner.path("held")) {
            if (held.path("partition").asInt(-1) == partition)
                held.path("reasons").forEach(reason -> reasons.add(reason(reason.asString(""))));
        }
        return reasons;
    }

    /// Returns the meaning of a reason, and the word by which metrics count it. A reason of a later version is shown as it is.
    private static String reason(String word) {
        String text = HoldText.reason(word);
        return text.equals(word) ? word : text + " (" + word + ")";
    }

    private List<String> problems(Map<String, JsonNode> answered) {
        List<String> problems = new ArrayList<>();
        if (group.members().isEmpty())
            problems.add("No worker runs: the group " + group.id() + " has no members.");
        else if (unreachable)
            problems.add("Workers are not asked over HTTP, because worker.http.port is off or 0 in the settings of"
                    + " this process.");
        calls.silent().forEach(silent -> problems.add("A worker does not answer over HTTP: " + silent + "."));
        hosts.silent().stream().filter(silent -> !calls.silent().contains(silent))
                .forEach(silent -> problems.add("The hosts of a worker are not known: " + silent + "."));
        if (!unreachable)
            group.members().stream().map(GroupState.Member::worker).filter(worker -> !answered.containsKey(worker))
                    .sorted().forEach(worker -> problems.add("Worker " + worker + " has not answered over HTTP; only"
                            + " its partitions are known."));
        answered.forEach((worker, body) -> {
            List<String> reasons = body.path("notReady").valueStream().map(reason -> reason.asString("")).toList();
            if (!reasons.isEmpty())
                problems.add("Worker " + worker + " is not ready: " + String.join("; ", reasons) + ".");
        });
        return problems;
    }
}
