package dev.toolfleet.cli.audit;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.client.audit.ChainFinding;
import dev.toolfleet.client.audit.ChainHead;

/// Compares chains as they stand now with heads that were taken earlier: each head still lies where it lay, and nothing
/// that was not there lies before them. Not thread-safe.
final class AnchorCheck {
    private final Map<Chain, ChainHead> expected = new HashMap<>();
    private final Map<Integer, AuditHeads.Span> spans = new HashMap<>();
    private final Consumer<ChainFinding> findings;
    private int matched;

    private record Chain(int partition, String writer) {}

    AnchorCheck(AuditHeads anchor, Consumer<ChainFinding> findings) {
        anchor.heads().forEach(head -> expected.put(new Chain(head.partition(), head.writer()), head));
        anchor.spans().forEach(span -> spans.put(span.partition(), span));
        this.findings = findings;
    }

    /// The next record, as its writer's head.
    void accept(ChainHead head) {
        AuditHeads.Span span = spans.get(head.partition());
        if (span == null || !span.holds(head.offset()))
            return;
        Chain chain = new Chain(head.partition(), head.writer());
        ChainHead then = expected.get(chain);
        if (then == null || head.sequence() > then.sequence()) {
            found(head, "it was not there when the heads were taken");
        } else if (head.sequence() == then.sequence()) {
            if (head.offset() == then.offset() && head.digest().equals(then.digest()))
                matched++;
            else
                found(head, "it is not the head that was taken, which lay at offset " + then.offset());
            expected.put(chain, new ChainHead(then.partition(), then.writer(), then.first(), then.sequence(), -1,
                    then.digest(), then.closed()));
        }
    }

    private void found(ChainHead head, String text) {
        findings.accept(new ChainFinding(ChainFinding.Kind.ANCHOR, head.partition(), head.offset(), head.writer(),
                text));
    }

    /// All has been read.
    ///
    /// @param from where reading began, by partition
    /// @return how many heads lie before that, which cannot be judged
    int finish(Map<Integer, Long> from) {
        int before = 0;
        for (ChainHead head : expected.values()) {
            if (head.offset() < 0)
                continue;
            if (head.offset() < from.getOrDefault(head.partition(), 0L))
                before++;
            else
                found(head, "the head that was taken is gone");
        }
        return before;
    }

    int matched() {
        return matched;
    }
}
