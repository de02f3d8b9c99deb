package dev.toolfleet.console.operate;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Commands of operators, each as the command line of the same name runs it.
///
/// **Contract.** A command that fails returns an outcome with its reason; it throws nothing that a person could cause.
/// A command that changes something leaves a `tool.audit` record with the person's name, in the transaction of the
/// change.
///
/// **Threads.** Thread-safe. Commands read topics and may take seconds, so callers run on virtual threads.
public interface OperatorCommands {
    /// Outcome of a command.
    ///
    /// @param done true if the command did everything that it was given
    /// @param json its output for programs; a missing node for a command without one
    /// @param lines its output and its notes for people, in their order
    record Outcome(boolean done, JsonNode json, List<String> lines) {
        /// Copies the lines.
        public Outcome {
            lines = List.copyOf(lines);
        }
    }

    /// Author of a change.
    ///
    /// @param by the person's name
    /// @param reason for auditors; null for none
    record Author(String by, @Nullable String reason) {}

    /// Question to the policy.
    ///
    /// @param tool full name
    /// @param agent null for a caller without agent
    /// @param arguments of the call; null for the question of a catalog
    record PolicyQuestion(String tool, @Nullable String agent, @Nullable String user, @Nullable String channel,
            @Nullable JsonNode arguments) {}

    /// Ways to end a dead letter.
    enum Disposal {
        /// Sends it again to the topic that it came from.
        REPLAY,
        /// Puts it away.
        DISCARD
    }

    /// Runs `toolfleet explain --record --json`.
    Outcome explain(CallId call);

    /// Runs `toolfleet policy explain --json`.
    Outcome policy(PolicyQuestion question);

    /// Runs `toolfleet policy denials --json`.
    Outcome denials();

    /// Runs `toolfleet policy deny --for`.
    Outcome deny(String pattern, Duration period, Author author);

    /// Runs `toolfleet policy lift`.
    Outcome lift(String pattern, Author author);

    /// Runs `toolfleet dlq show --json`.
    Outcome letter(LetterAddress address);

    /// Runs `toolfleet dlq replay` or `discard`.
    ///
    /// @param dryRun true to name what would happen, and change nothing
    Outcome dispose(Disposal disposal, List<LetterAddress> letters, Author author, boolean dryRun);

    /// Runs `toolfleet lane skip --record`.
    Outcome skip(String instance, CallId call, Author author);

    /// Cancels calls, as `toolfleet cancel` does: of each, its open wait if it has one.
    Outcome cancel(List<CallView> calls, Author author);

    /// Returns the state of workers, partitions and hosts.
    FleetState fleet();

    /// State of the fleet at one moment.
    ///
    /// @param group the consumer group of the workers
    /// @param workers members of the group, and workers that answer at a given address
    /// @param partitions those of `tool.call`
    /// @param problems reasons why something is missing here, one sentence each; empty if nothing is
    record FleetState(String group, List<WorkerState> workers, List<PartitionState> partitions,
            List<String> problems) {
        /// Copies the lists.
        public FleetState {
            workers = List.copyOf(workers);
            partitions = List.copyOf(partitions);
            problems = List.copyOf(problems);
        }

        /// True if the brokers were read; otherwise workers and partitions are not known.
        public boolean isKnown() {
            return !partitions.isEmpty();
        }
    }

    /// State of one worker.
    ///
    /// @param answers true if it answered over HTTP; without an answer, only its partitions are known
    /// @param running calls whose handlers run
    /// @param queued calls in its lanes
    /// @param oldest the age of the oldest of them; null without calls
    /// @param hosts processes of handlers in other languages
    /// @param hostsStarted processes that it has started since it began, restarts included
    record WorkerState(String name, String host, Set<Integer> partitions, boolean answers, int running, int queued,
            @Nullable Duration oldest, List<HostState> hosts, long hostsStarted) {
        /// Copies the lists.
        public WorkerState {
            partitions = Set.copyOf(partitions);
            hosts = List.copyOf(hosts);
        }
    }

    /// State of one partition of `tool.call`.
    ///
    /// @param owner empty for none
    /// @param lag records that are not done, without those that hold no call
    /// @param held reasons why its owner does not read it; empty if it does
    record PartitionState(int partition, String owner, long end, long lag, List<String> held) {
        /// Copies the list.
        public PartitionState {
            held = List.copyOf(held);
        }
    }

    /// State of one host.
    ///
    /// @param state as `toolfleet hosts` has it
    /// @param memoryBytes its resident memory; 0 if unknown
    record HostState(String name, long pid, String state, long memoryBytes, int calls) {}
}
