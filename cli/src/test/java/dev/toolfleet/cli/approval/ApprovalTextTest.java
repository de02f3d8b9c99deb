package dev.toolfleet.cli.approval;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.BoundOperand;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ApprovalTextTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

    private final ApprovalText text = new ApprovalText(new View(new Style(false), 100, NOW));

    private static OpenApproval open(Instant created) {
        return OpenApproval.of(Approved.waiting("h-1234", Approved.call("c7", "telegram:1"), 1, created));
    }

    @Test
    void aRowSaysWhichCallWhyAndWhatWouldRun() {
        List<String> lines = text.table(List.of(open(NOW.minusSeconds(60)), open(NOW.minusSeconds(600))));

        assertThat(lines).hasSize(9).last().asString().contains("toolfleet approvals HANDLE shows all of them");
        assertThat(lines.get(2)).isEqualTo("h-1234  market__sell  telegram:1  trader  ann   1 min   4 min");
        assertThat(lines.get(3)).isEqualTo("  acme/production/look: A person looks at sales first.");
        assertThat(lines.get(4)).isEqualTo("  symbol=ACME  amount=100  apiKey=sk-12345678");
        assertThat(lines.get(5)).endsWith("expired");
    }

    @Test
    void theCardHasEverything() {
        String card = String.join("\n", text.card(open(NOW.minusSeconds(60))));

        assertThat(card).contains("Handle        h-1234",
                "State         waits for a person for 1 min, expires in 4 min, at 2030-01-01T12:04:00Z",
                "For           user ann", "Why           A person looks at sales first.",
                "Rules         acme/production/look, finance-safety/isTransactional", "\"apiKey\" : \"sk-12345678\"")
                .doesNotContain("Hidden");
        String unbound = String.join("\n", text.card(OpenApproval.of(Approved.waiting("h-1",
                Approved.call("c7", "i"), 1, NOW, null, null))));
        assertThat(unbound).contains("it cannot be approved").doesNotContain("sk-12345678");
    }

    @Test
    void aCardAndARowSayThatSomethingIsHidden() {
        OpenApproval open = OpenApproval.of(Approved.waiting("h-1", Approved.call("c7", "i"), 1, NOW).hiding(2));

        assertThat(String.join("\n", text.card(open)))
                .contains("Hidden        2 places of what would run are hidden", "--despite-hidden");
        assertThat(text.table(List.of(open))).contains(
                "  2 places of what would run are hidden, secrets of the fleet or files without text");
    }

    @Test
    void aCardAndARowSayHowManyOfThePeopleHaveApproved() {
        Approval asked = new Approval("r", List.of("r"), "why", "sha256:aa", null, 0, null, 2, "u1", List.of("ann"));
        OpenApproval open = OpenApproval.of(Approved.waiting("h-1", Approved.call("c7", "i"), 1, NOW, asked, "{}"));

        String count = "1 of 2 people have approved: ann; not by the requester, u1";
        assertThat(text.table(List.of(open))).contains("  " + count);
        assertThat(text.card(open)).contains("People        " + count);
        assertThat(String.join("\n", text.card(open(NOW)))).as("where any person may").doesNotContain("People");
        assertThat(open.json().path("approvedBy").toString()).isEqualTo("[\"ann\"]");
    }

    @Test
    void aCardShowsTheFilesOfACall() {
        Approval asked = new Approval("r", List.of("r"), "why", "sha256:aa", null, 1,
                List.of(new BoundOperand("deploy.sh", 14, "sha256:bb"), new BoundOperand("tool.bin", 3, "sha256:cc")));
        OpenApproval open = OpenApproval.of(Approved.waiting("h-1", Approved.call("c7", "i"), 1, NOW, asked,
                """
                {"arguments": {"path": "deploy.sh"}, "operands": [{"text": "echo ok\\r\\n\\techo \\\\u202eko"}, {}]}"""));

        assertThat(String.join("\n", text.card(open))).contains("File          deploy.sh, 14 bytes, sha256:bb\n"
                + " ".repeat(14) + "| echo ok\\u000d\n" + " ".repeat(14) + "| \techo \\u202eko\n"
                + "File          tool.bin, 3 bytes, sha256:cc\n" + " ".repeat(14) + "its text is not shown");
        assertThat(text.card(open(NOW))).contains("Files         none is bound: what the call reads may change until it"
                + " runs");
    }

    @Test
    void nothingThatACallerWroteRedrawsTheCardOrHidesInIt() {
        String evil = "a\u001b[2J\u009b1A\nHandle h\u202eb\u200bc";
        ToolCall named = new ToolCall("i" + evil, "t" + evil, Json.MAPPER.createObjectNode().put("k" + evil, evil)
                .put("del", "\u007f\u0085\u2066\u2028\ufeff\u3164"), "key" + evil, "agent" + evil, "turn" + evil,
                "step" + evil, 1, null, "user" + evil, "channel" + evil, null, null, null, null);
        Approval asked = new Approval("rule" + evil, List.of("rule" + evil), "why" + evil, "sha256:aa",
                "sha256:b" + evil);
        OpenApproval open = OpenApproval.of(Approved.waiting("h-1", named, 1, NOW, asked, null));

        List<String> card = text.card(open);
        assertThat(card)
                .allSatisfy(line -> assertThat(line).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\u3164]"));
        assertThat(card).filteredOn(line -> line.startsWith("Handle")).containsExactly("Handle        h-1");
        assertThat(String.join("\n", card)).contains("key" + "a[2J1A⏎Handle h\\u202eb\\u200bc", "usera", "channela",
                "agenta", "turna", "stepa", "whya", "rulea",
                "\"a\\u001B[2J\\u009b1A\\nHandle h\\u202eb\\u200bc\"", "\\u007f\\u0085\\u2066\\u2028\\ufeff\\u3164");
        assertThat(text.table(List.of(open))).allSatisfy(line -> assertThat(line)
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}]"));
    }

    @Test
    void whatWasDecidedNamesWhoAndWhy() {
        AuditEvent event = new AuditEvent(AuditEvent.Kind.DECISION, "rejected", "ben", "not\ntoday", null, null, null,
                "h-1", null, null, null, false, "w1", NOW.minusSeconds(30));

        assertThat(text.decided(List.of(event)).get(2))
                .isEqualTo("h-1     –     –         rejected  ben  30 s  not⏎today");
    }
}
