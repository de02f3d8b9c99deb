package dev.toolfleet.cli.backtest;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// `toolfleet policy backtest`: judges the past calls of a fleet again, under its policy and under that with another
/// bundle. Reads only.
public final class Backtest {
    /// More at a time than a consumer's default: little is done with a record.
    private static final int RECORDS_A_POLL = 5_000;
    private static final int MOST_THREADS = 4;
    /// The most calls with findings whose results are looked up.
    private static final int MOST_FOUND = 4_000_000;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// A backtest in this fleet.
    public Backtest(RemoteFleet fleet) {
        this.fleet = fleet;
        terminal = fleet.terminal();
    }

    /// Form of the report.
    public enum Format {
        /// Tables for people.
        TABLE,
        /// One JSON object.
        JSON,
        /// Markdown, for comments on changes of a policy.
        MARKDOWN
    }

    /// Prints the difference that a bundle makes.
    ///
    /// @param folder of the bundle
    /// @param name under which it is applied; null when it has a Package, or is called like its folder
    /// @param limit the most rows of a table; JSON has all
    /// @param failOn findings that make the command fail
    /// @return the exit code: 0, or 1 when there is one of `failOn`
    /// @throws Failure when the bundle is not valid, or the topics cannot be read
    public int run(Path folder, @Nullable String name, BacktestQuery query, Format format, int limit,
            Set<Finding> failOn) {
        fleet.check(Topic.RESOURCE, Topic.CALL, Topic.RESULT);
        PolicyPair policies = policies(folder, name, fleet.clock().instant());
        BacktestTally tally = read(query, policies);
        BacktestReport report = new BacktestReport(policies.bundle(), query, tally,
                failOn.stream().filter(finding -> tally.calls(finding) > 0).sorted().toList());
        terminal.print(switch (format) {
            case TABLE -> new BacktestTable(report, limit).lines(fleet.view());
            case JSON -> List.of(BacktestJson.text(report));
            case MARKDOWN -> new BacktestMarkdown(report, limit).lines();
        });
        return report.failed().isEmpty() ? Failure.SUCCESS : Failure.FAILED;
    }

    private PolicyPair policies(Path folder, @Nullable String name, Instant now) {
        LocalBundle bundle = name == null
                ? LocalBundle.calledLikeItsFolder(BundleCheck.check(folder))
                : LocalBundle.of(BundleCheck.check(folder), name);
        ResourceTable table = new ResourceReader(fleet.name(Topic.RESOURCE), fleet.kafka()).read();
        FleetResources before = table.view();
        RevisionPlan plan = RevisionPlan.of(bundle.name(), bundle.declared(), table);
        if (before.bundle(bundle.name()).isEmpty())
            terminal.note("toolfleet: the fleet has no bundle " + bundle.name() + ", so this one is added to the others"
                    + " (--name names it)");
        else if (!plan.changes())
            terminal.note("toolfleet: the fleet has the bundle " + bundle.name() + " as it is in the folder");
        plan.entries().forEach(entry -> table.apply(entry.key(), entry.value()));
        return PolicyPair.of(before, table.view(), bundle.name(), now);
    }

    private BacktestTally read(BacktestQuery query, PolicyPair policies) {
        List<Integer> partitions = partitions();
        int threads = Math.clamp(Math.min(Runtime.getRuntime().availableProcessors(), partitions.size()), 1,
                MOST_THREADS);
        BacktestTally all = new BacktestTally(query.examples());
        TravelledLabels travelled = travelled(policies);
        all.labelsNotKept(travelled.dropped());
        try (ProgressNote progress = fleet.progress();
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            SharedGauge gauge = new SharedGauge(threads, progress);
            List<Future<BacktestTally>> read = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                List<Integer> share = partitions.stream().filter(each -> each % threads == number).toList();
                read.add(readers.submit(() -> read(share, query, policies, gauge.of(number), MOST_FOUND / threads,
                        LabelHistory.MOST / threads, travelled)));
            }
            for (Future<BacktestTally> each : read)
                all.add(get(each));
        }
        return all;
    }

    private BacktestTally read(List<Integer> share, BacktestQuery query, PolicyPair policies, TopicScan.Gauge gauge,
            int most, int mostLabelled, TravelledLabels travelled) {
        Map<String, Object> client = new HashMap<>(fleet.kafka());
        client.put("max.poll.records", RECORDS_A_POLL);
        try (TopicScan scan = fleet.scan(client, gauge)) {
            return new CallReader(query, policies, most, mostLabelled, travelled).read(scan, share,
                    fleet.name(Topic.CALL),
                    fleet.name(Topic.RESULT));
        }
    }

    private TravelledLabels travelled(PolicyPair policies) {
        if (!policies.readLabels())
            return TravelledLabels.NONE;
        fleet.check(Topic.AGENT_LABEL);
        try (ProgressNote progress = fleet.progress(); TopicScan scan = fleet.scan(progress)) {
            return TravelledLabels.read(sink -> scan.read(fleet.name(Topic.AGENT_LABEL), sink),
                    TravelledLabels.MOST);
        }
    }

    private List<Integer> partitions() {
        try (TopicScan scan = fleet.scan()) {
            return scan.partitions(fleet.name(Topic.CALL)).stream().map(TopicPartition::partition).sorted().toList();
        }
    }

    private static BacktestTally get(Future<BacktestTally> read) {
        try {
            return read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("the backtest was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause)
                throw cause;
            throw new IllegalStateException(e.getCause());
        }
    }

    /// Progress of several scans as one. Thread-safe.
    private static final class SharedGauge {
        private final AtomicLongArray read;
        private final AtomicLongArray all;
        private final ProgressNote progress;

        SharedGauge(int scans, ProgressNote progress) {
            read = new AtomicLongArray(scans);
            all = new AtomicLongArray(scans);
            this.progress = progress;
        }

        TopicScan.Gauge of(int scan) {
            return (topic, done, of) -> {
                read.set(scan, done);
                all.set(scan, of);
                progress.reading(topic, sum(read), sum(all));
            };
        }

        private static long sum(AtomicLongArray numbers) {
            long sum = 0;
            for (int i = 0; i < numbers.length(); i++)
                sum += numbers.get(i);
            return sum;
        }
    }
}
