package dev.toolfleet.cli.audit;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.audit.ChainFinding;
import dev.toolfleet.client.audit.ChainHead;
import dev.toolfleet.client.audit.ChainVerifier;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// `toolfleet audit verify` and `audit head`: reads `tool.audit` from its beginning, or from a time, and follows the
/// chains of its writers.
public final class AuditVerification {

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Verifies this fleet's audit.
    public AuditVerification(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Prints what holds and what does not.
    ///
    /// @param since reads from the first record of that time; null for the beginning
    /// @param until reads to the first record of that time; null for the end
    /// @param anchorFile what `audit head` printed earlier; null to compare with nothing
    /// @return 0 when all holds, else 1
    public int verify(@Nullable Instant since, @Nullable Instant until, @Nullable Path anchorFile, boolean json) {
        Optional<AuditHeads> anchor = Optional.ofNullable(anchorFile).map(AuditHeads::read);
        anchor.filter(heads -> !heads.topic().equals(topic())).ifPresent(heads -> {
            throw Failure
                    .invalid("--anchor " + anchorFile + " holds heads of topic '" + heads.topic() + "'; this fleet's"
                            + " is '" + topic() + "'");
        });
        AuditReport report = new AuditReport();
        Optional<AnchorCheck> check = anchor.map(heads -> new AnchorCheck(heads, report::found));
        Seen seen = read(since, until, report, check);
        String compared = check.map(done -> compared(done, seen)).orElse("");
        if (json)
            terminal.print(ShownJson.pretty(report.json(seen.spans(), seen.verifier().heads(),
                    seen.verifier().records(), seen.verifier().unchained())));
        else
            terminal.print(report.lines(seen.spans(), seen.verifier().heads(), seen.verifier().records(),
                    seen.verifier().unchained(), compared));
        return report.isWhole() ? Failure.SUCCESS : Failure.FAILED;
    }

    private static String compared(AnchorCheck check, Seen seen) {
        int before = check.finish(seen.from());
        return "heads taken earlier: " + check.matched() + " stand as they stood"
                + (before == 0 ? "" : ", " + before + " lie before what was read");
    }

    /// Prints the heads of all chains, to be kept where an operator of the brokers cannot write.
    ///
    /// @return 0 when all chains hold, else 1
    public int head() {
        AuditReport report = new AuditReport();
        Seen seen = read(null, null, report, Optional.empty());
        if (seen.verifier().isIncomplete())
            throw Failure.failed("the topic holds chains of more than " + ChainVerifier.MOST_WRITERS
                    + " writers, so that their heads cannot be printed whole");
        terminal.print(ShownJson.pretty(
                new AuditHeads(topic(), fleet.clock().instant(), seen.spans(), seen.verifier().heads()).json()));
        if (!report.isWhole())
            terminal.note("not all chains hold: toolfleet audit verify says which do not");
        return report.isWhole() ? Failure.SUCCESS : Failure.FAILED;
    }

    private record Seen(ChainVerifier verifier, Map<Integer, Long> from, List<AuditHeads.Span> spans) {}

    private Seen read(@Nullable Instant since, @Nullable Instant until, AuditReport report,
            Optional<AnchorCheck> anchor) {
        try (ProgressNote progress = fleet.progress();
                TopicScan scan = fleet.scan(progress)) {
            List<TopicPartition> partitions = scan.partitions(topic());
            Map<TopicPartition, Long> from = since == null
                    ? scan.beginnings(partitions)
                    : scan.since(partitions, since);
            Map<TopicPartition, Long> ends = until == null ? scan.ends(partitions) : scan.since(partitions, until);
            Map<Integer, Long> first = new HashMap<>();
            from.forEach((partition, offset) -> first.put(partition.partition(), offset));
            ChainVerifier verifier = new ChainVerifier(first, (ChainFinding finding) -> report.found(finding));
            scan.read(from, ends, record -> {
                ChainHead head = verifier.accept(record);
                if (head != null)
                    anchor.ifPresent(check -> check.accept(head));
            });
            List<AuditHeads.Span> spans = partitions.stream().sorted(Comparator.comparingInt(TopicPartition::partition))
                    .map(partition -> new AuditHeads.Span(partition.partition(), from.getOrDefault(partition, 0L),
                            ends.getOrDefault(partition, 0L)))
                    .toList();
            return new Seen(verifier, first, spans);
        }
    }

    private String topic() {
        return fleet.name(Topic.AUDIT);
    }
}
