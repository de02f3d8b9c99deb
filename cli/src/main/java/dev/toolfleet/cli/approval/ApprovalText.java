package dev.toolfleet.cli.approval;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.json.ShownText;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Approvals for people. Pure.
final class ApprovalText {
    private static final int NAMES = 14;
    private static final int WIDEST_HANDLE = 44;
    private static final int WIDEST = 28;
    private static final String INDENT = "  ";

    private final View view;

    ApprovalText(View view) {
        this.view = view;
    }

    /// Three lines for each: which call, why a person is asked, what would run.
    List<String> table(List<OpenApproval> open) {
        Grid grid = view.grid("handle", "tool", "instance", "agent", "user", "age", "expires in");
        for (OpenApproval each : open) {
            ToolCall call = each.call().call();
            grid.row(View.cell(each.handle(), WIDEST_HANDLE), View.cell(call.name(), WIDEST),
                    View.cell(call.instanceKey(), WIDEST), View.cell(call.agentName(), WIDEST),
                    View.cell(call.userId(), WIDEST),
                    view.age(each.call().createdAt()), view.left(each.call().deadline(), "expired"));
        }
        List<String> lines = new ArrayList<>();
        List<String> rows = view.lines(grid);
        lines.addAll(rows.subList(0, 2));
        for (int i = 0; i < open.size(); i++) {
            lines.add(rows.get(i + 2));
            lines.add(
                    INDENT + view.paint(Tone.WAITING, TextWidth.cut(why(open.get(i)), view.width() - INDENT.length())));
            lines.add(INDENT + brief(open.get(i), view.width() - INDENT.length()));
            String count = View.shown(open.get(i).countText());
            if (!count.isEmpty())
                lines.add(INDENT + view.paint(Tone.WAITING, TextWidth.cut(count, view.width() - INDENT.length())));
            if (!open.get(i).isShownWhole())
                lines.add(INDENT + view.paint(Tone.BAD, TextWidth.cut(open.get(i).hiddenText(),
                        view.width() - INDENT.length())));
        }
        lines.add(view.paint(Tone.DIM, "Arguments are abridged here; toolfleet approvals HANDLE shows all of them."));
        return lines;
    }

    /// All that is known of one.
    List<String> card(OpenApproval open) {
        ToolCall call = open.call().call();
        Instant deadline = open.call().deadline();
        View.Card card = view.card(NAMES).line("Handle", View.shown(open.handle()))
                .line("State", open.isOverdue(view.now())
                        ? view.paint(Tone.BAD, "expired") + " at " + View.time(deadline)
                                + "; no worker has closed it yet"
                        : view.paint(Tone.WAITING, "waits for a person") + " for " + view.age(open.call().createdAt())
                                + ", expires in " + view.left(deadline, "") + ", at " + View.time(deadline))
                .line("Tool", View.shown(call.name())).line("Instance", View.shown(call.instanceKey()))
                .line("Call", View.shown(call.id()) + View.named(", agent ", call.agentName())
                        + View.named(", turn ", call.turnId()) + View.named(", step ", call.stepId()))
                .line("For", call.userId() == null && call.channelId() == null
                        ? "a requester that the call does not name"
                        : View.named("user ", call.userId())
                                + View.named(call.userId() == null ? "channel " : ", channel ", call.channelId()));
        asked(card, open.call().approval());
        card.lineIf(!open.countText().isEmpty(), "People", View.shown(open.countText())).lineIf(!open.isShownWhole(),
                "Hidden", view.paint(Tone.BAD, open.hiddenText() + "; approving it takes --despite-hidden"));
        files(card, open.operands());
        // All of it, as JSON that reads as what runs: nothing is cut.
        String name = "Arguments";
        for (String line : ShownJson.pretty(open.arguments()).lines().toList()) {
            card.line(name, line);
            name = "";
        }
        return card.lines();
    }

    /// Each file with its digest and its text, line by line; invisible characters are escapes.
    private void files(View.Card card, JsonNode operands) {
        card.lineIf(operands.isEmpty(), "Files", "none is bound: what the call reads may change until it runs");
        for (JsonNode file : operands) {
            card.line("File", ShownText.of(View.shown(file.path("name").asString())) + ", "
                    + file.path("size").asString() + " bytes, " + View.shown(file.path("digest").asString()));
            if (!file.has("text"))
                card.line("", view.paint(Tone.BAD, "its text is not shown: it is too long, or no text"));
            else
                for (String each : file.path("text").stringValue().split("\n", -1))
                    card.add(List.of(" ".repeat(NAMES) + "| " + ShownText.of(each)));
        }
    }

    private void asked(View.Card card, @Nullable Approval asked) {
        if (asked == null) {
            card.line("Asked",
                    view.paint(Tone.BAD, "by a worker that its record does not name: it cannot be approved"));
            return;
        }
        card.line("Why", View.shown(asked.reason()))
                .line("Rules",
                        View.shown(String.join(", ", asked.rules().isEmpty() ? List.of(asked.rule()) : asked.rules())))
                .lineIf(asked.policyDigest() != null, "Policy", View.shown(String.valueOf(asked.policyDigest())));
    }

    /// Table of recent decisions.
    List<String> decided(List<AuditEvent> events) {
        Grid grid = view.grid("handle", "tool", "instance", "what", "by", "age", "reason");
        for (AuditEvent event : events) {
            AuditedCall call = event.call();
            grid.row(View.cell(event.handle(), WIDEST_HANDLE), View.cell(call == null ? null : call.toolName(), WIDEST),
                    View.cell(call == null ? null : call.instanceKey(), WIDEST), View.cell(event.action(), WIDEST),
                    View.cell(event.by(), WIDEST),
                    view.age(event.occurredAt()), View.shown(event.reason() == null ? "" : event.reason()));
        }
        return view.lines(grid);
    }

    private static String why(OpenApproval open) {
        Approval asked = open.call().approval();
        return View.shown(asked == null
                ? "nothing says what was asked: it cannot be approved"
                : asked.rule() + ": " + asked.reason());
    }

    /// Arguments on one line, abridged.
    static String brief(OpenApproval open, int width) {
        return ShownJson.brief(open.arguments(), width);
    }
}
