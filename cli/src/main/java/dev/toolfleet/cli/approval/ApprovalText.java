package dev.toolfleet.cli.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.DurationText;
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

    private final Style style;
    private final int width;
    private final Instant now;

    ApprovalText(Style style, int width, Instant now) {
        this.style = style;
        this.width = width;
        this.now = now;
    }

    /// Three lines for each: which call, why a person is asked, what would run.
    List<String> table(List<OpenApproval> open) {
        Grid grid = new Grid(width, "handle", "tool", "instance", "agent", "user", "age", "expires in");
        for (OpenApproval each : open) {
            ToolCall call = each.call().call();
            grid.row(TextWidth.cut(oneLine(each.handle()), WIDEST_HANDLE), cell(call.name()),
                    cell(call.instanceKey()), cell(call.agentName()), cell(call.userId()),
                    age(each.call().createdAt()), left(each));
        }
        List<String> lines = new ArrayList<>();
        List<String> rows = grid.lines(style);
        lines.addAll(rows.subList(0, 2));
        for (int i = 0; i < open.size(); i++) {
            lines.add(rows.get(i + 2));
            lines.add(INDENT + style.paint(Tone.WAITING, TextWidth.cut(why(open.get(i)), width - INDENT.length())));
            lines.add(INDENT + brief(open.get(i), width - INDENT.length()));
            String count = oneLine(open.get(i).countText());
            if (!count.isEmpty())
                lines.add(INDENT + style.paint(Tone.WAITING, TextWidth.cut(count, width - INDENT.length())));
            if (!open.get(i).isShownWhole())
                lines.add(INDENT + style.paint(Tone.BAD, TextWidth.cut(open.get(i).hiddenText(),
                        width - INDENT.length())));
        }
        lines.add(style.paint(Tone.DIM, "Arguments are abridged here; toolfleet approvals HANDLE shows all of them."));
        return lines;
    }

    /// All that is known of one.
    List<String> card(OpenApproval open) {
        ToolCall call = open.call().call();
        List<String> lines = new ArrayList<>();
        lines.add(line("Handle", oneLine(open.handle())));
        lines.add(line("State", open.isOverdue(now)
                ? style.paint(Tone.BAD, "expired") + " at " + time(open.call().deadline())
                        + "; no worker has closed it yet"
                : style.paint(Tone.WAITING, "waits for a person") + " for " + age(open.call().createdAt())
                        + ", expires in " + left(open) + ", at " + time(open.call().deadline())));
        lines.add(line("Tool", oneLine(call.name())));
        lines.add(line("Instance", oneLine(call.instanceKey())));
        lines.add(
                line("Call", oneLine(call.id()) + named(", agent ", call.agentName()) + named(", turn ", call.turnId())
                        + named(", step ", call.stepId())));
        lines.add(line("For", call.userId() == null && call.channelId() == null
                ? "nobody that the call names"
                : (call.userId() == null ? "" : "user " + oneLine(call.userId()))
                        + named(call.userId() == null ? "channel " : ", channel ", call.channelId())));
        asked(lines, open.call().approval());
        if (!open.countText().isEmpty())
            lines.add(line("People", oneLine(open.countText())));
        if (!open.isShownWhole())
            lines.add(
                    line("Hidden", style.paint(Tone.BAD, open.hiddenText() + "; approving it takes --despite-hidden")));
        files(lines, open.operands());
        // All of it, as JSON that reads as what runs: nothing is cut.
        List<String> arguments = ShownJson.pretty(open.arguments()).lines().toList();
        for (int i = 0; i < arguments.size(); i++)
            lines.add(style.paint(Tone.DIM, TextWidth.left(i == 0 ? "Arguments" : "", NAMES)) + arguments.get(i));
        return lines;
    }

    /// Each file with its digest and its text, line by line; what nobody sees is an escape.
    private void files(List<String> lines, JsonNode operands) {
        if (operands.isEmpty())
            lines.add(line("Files", "none is bound: what the call reads may change until it runs"));
        for (JsonNode file : operands) {
            lines.add(line("File",
                    ShownText.of(oneLine(file.path("name").asString())) + ", " + file.path("size").asString()
                            + " bytes, " + oneLine(file.path("digest").asString())));
            if (!file.has("text"))
                lines.add(line("", style.paint(Tone.BAD, "its text is not shown: it is too long, or no text")));
            else
                for (String each : file.path("text").stringValue().split("\n", -1))
                    lines.add(" ".repeat(NAMES) + "| " + ShownText.of(each));
        }
    }

    private void asked(List<String> lines, @Nullable Approval asked) {
        if (asked == null) {
            lines.add(line("Asked", style.paint(Tone.BAD, "by nobody that its record names: it cannot be approved")));
            return;
        }
        lines.add(line("Why", oneLine(asked.reason())));
        lines.add(line("Rules",
                oneLine(String.join(", ", asked.rules().isEmpty() ? List.of(asked.rule()) : asked.rules()))));
        if (asked.policyDigest() != null)
            lines.add(line("Policy", oneLine(asked.policyDigest())));
    }

    /// What was decided lately.
    List<String> decided(List<AuditEvent> events) {
        Grid grid = new Grid(width, "handle", "tool", "instance", "what", "by", "age", "reason");
        for (AuditEvent event : events) {
            AuditedCall call = event.call();
            grid.row(TextWidth.cut(cell(event.handle()), WIDEST_HANDLE), cell(call == null ? null : call.toolName()),
                    cell(call == null ? null : call.instanceKey()), cell(event.action()), cell(event.by()),
                    age(event.occurredAt()), oneLine(event.reason() == null ? "" : event.reason()));
        }
        return grid.lines(style);
    }

    private static String why(OpenApproval open) {
        Approval asked = open.call().approval();
        return oneLine(asked == null
                ? "nothing says what was asked: it cannot be approved"
                : asked.rule() + ": " + asked.reason());
    }

    /// Arguments on one line, abridged.
    static String brief(OpenApproval open, int width) {
        return ShownJson.brief(open.arguments(), width);
    }

    /// What a caller wrote, which must not be able to redraw what a person decides by.
    static String oneLine(String text) {
        return TextWidth.visible(TextWidth.oneLine(text));
    }

    private static String cell(@Nullable String text) {
        return text == null ? "–" : TextWidth.cut(oneLine(text), WIDEST);
    }

    private String left(OpenApproval open) {
        return open.isOverdue(now) ? "expired" : DurationText.coarse(Duration.between(now, open.call().deadline()));
    }

    private String age(Instant then) {
        return DurationText.coarse(Duration.between(then, now));
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String named(String what, @Nullable String name) {
        return name == null ? "" : what + oneLine(name);
    }

    private String line(String name, String text) {
        return (style.paint(Tone.DIM, TextWidth.left(name, NAMES)) + text).stripTrailing();
    }
}
