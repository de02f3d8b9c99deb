package dev.toolfleet.cli.audit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.audit.ChainFinding;
import dev.toolfleet.client.audit.ChainHead;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Findings of a verification, for people and for programs. Holds at most [#MOST] findings, and counts the others.
final class AuditReport {
    static final int MOST = 1_000;
    private static final int MOST_LINES = 200;

    private final List<ChainFinding> findings = new ArrayList<>();
    private final Set<String> broken = new HashSet<>();
    private long count;

    void found(ChainFinding finding) {
        count++;
        if (findings.size() < MOST) {
            findings.add(finding);
            broken.add(finding.partition() + " " + finding.writer());
        }
    }

    boolean isWhole() {
        return count == 0;
    }

    private boolean isWhole(ChainHead head) {
        return !broken.contains(head.partition() + " " + head.writer());
    }

    /// @param anchor one sentence about the heads that were compared; empty for none
    List<String> lines(List<AuditHeads.Span> spans, List<ChainHead> heads, long records, long unchained,
            String anchor) {
        List<String> lines = new ArrayList<>();
        for (AuditHeads.Span span : spans) {
            List<ChainHead> own = heads.stream().filter(head -> head.partition() == span.partition()).toList();
            lines.add("partition " + span.partition() + ", offsets " + span.from() + " to " + span.end() + ": "
                    + own.size() + " writers"
                    + (span.from() == 0 ? "" : "; nothing is said of what lay before"));
            own.stream().limit(MOST_LINES).forEach(head -> lines.add("  " + line(head)));
            if (own.size() > MOST_LINES)
                lines.add("  and " + (own.size() - MOST_LINES) + " more writers (--json has all)");
        }
        for (ChainFinding finding : findings.subList(0, Math.min(MOST_LINES, findings.size())))
            lines.add("WRONG " + kind(finding) + ": partition " + finding.partition() + ", offset " + finding.offset()
                    + ", " + (finding.writer().isEmpty() ? "no writer" : View.shown(finding.writer())) + ": "
                    + finding.text());
        if (count > MOST_LINES)
            lines.add("and " + (count - MOST_LINES) + " more");
        if (!anchor.isEmpty())
            lines.add(anchor);
        lines.add((isWhole() ? "whole" : "NOT WHOLE, " + count + " findings") + ": " + records + " records"
                + (unchained == 0 ? "" : ", " + unchained + " of them without a chain"));
        return lines;
    }

    private String line(ChainHead head) {
        return View.shown(head.writer()) + "  " + head.first() + " to " + head.sequence() + ", "
                + (head.closed() ? "ended" : "open") + ", " + (isWhole(head) ? "whole" : "NOT WHOLE");
    }

    ObjectNode json(List<AuditHeads.Span> spans, List<ChainHead> heads, long records, long unchained) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("whole", isWhole()).put("records", records)
                .put("unchained", unchained).put("findingsInAll", count);
        ArrayNode found = json.putArray("findings");
        for (ChainFinding finding : findings)
            found.addObject().put("kind", kind(finding)).put("partition", finding.partition())
                    .put("offset", finding.offset()).put("writer", finding.writer()).put("text", finding.text());
        ArrayNode partitions = json.putArray("partitions");
        for (AuditHeads.Span span : spans) {
            ArrayNode writers = partitions.addObject().put("partition", span.partition()).put("from", span.from())
                    .put("end", span.end()).putArray("writers");
            heads.stream().filter(head -> head.partition() == span.partition()).forEach(
                    head -> writers.addObject().put("writer", head.writer()).put("first", head.first())
                            .put("last", head.sequence()).put("ended", head.closed()).put("whole", isWhole(head)));
        }
        return json;
    }

    private static String kind(ChainFinding finding) {
        return finding.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
