package dev.toolfleet.cli.approval;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.wire.AuditEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ApprovalTextTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

    private final ApprovalText text = new ApprovalText(new Style(false), 100, NOW);

    private static OpenApproval open(Instant created) {
        return OpenApproval.of(Approved.waiting("h-1234", Approved.call("c7", "telegram:1"), 1, created));
    }

    @Test
    void aRowSaysWhichCallWhyAndWhatWouldRun() {
        List<String> lines = text.table(List.of(open(NOW.minusSeconds(60)), open(NOW.minusSeconds(600))));

        assertThat(lines).hasSize(8);
        assertThat(lines.get(2)).isEqualTo("h-1234  market__sell  telegram:1  trader  ann   1 min   4 min");
        assertThat(lines.get(3)).isEqualTo("  acme/production/look: A person looks at sales first.");
        assertThat(lines.get(4)).isEqualTo("  symbol=ACME  amount=100  apiKey=[REDACTED]");
        assertThat(lines.get(5)).endsWith("expired");
    }

    @Test
    void theCardHasEverythingButTheArgumentsThemselves() {
        String card = String.join("\n", text.card(open(NOW.minusSeconds(60))));

        assertThat(card).contains("Handle        h-1234",
                "State         waits for a person for 1 min, expires in 4 min, at 2030-01-01T12:04:00Z",
                "For           user ann", "Why           A person looks at sales first.",
                "Rules         acme/production/look, finance-safety/isTransactional", "\"apiKey\" : \"[REDACTED]\"")
                .doesNotContain("sk-12345678");
        String unbound = String.join("\n", text.card(OpenApproval.of(Approved.waiting("h-1",
                Approved.call("c7", "i"), 1, NOW, null, null))));
        assertThat(unbound).contains("it cannot be approved").doesNotContain("sk-12345678");
    }

    @Test
    void whatWasDecidedNamesWhoAndWhy() {
        AuditEvent event = new AuditEvent(AuditEvent.Kind.DECISION, "rejected", "ben", "not\ntoday", null, null, null,
                "h-1", null, null, null, false, "w1", NOW.minusSeconds(30));

        assertThat(text.decided(List.of(event)).get(2))
                .isEqualTo("h-1     –     –         rejected  ben  30 s  not⏎today");
    }
}
