package dev.toolfleet.cli.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.approval.ApprovalFinder.Found;
import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.HandleReader;
import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import org.jspecify.annotations.Nullable;

/// `toolfleet approvals`: which calls wait for a person, and what was decided lately.
public final class ApprovalViewer {
    private static final Duration LATELY = Duration.ofDays(1);
    private static final int MAX_ROWS = 100;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Approvals of this fleet.
    public ApprovalViewer(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Prints the open ones, the oldest first.
    ///
    /// @param instance only those of this one; empty for all
    /// @param all also what was decided, or expired, within a day
    /// @param json one JSON object a line
    public int list(Optional<String> instance, boolean all, boolean json) {
        List<OpenApproval> open;
        List<AuditEvent> decided;
        Instant now = fleet.clock().instant();
        try (ProgressNote progress = fleet.progress(); HandleReader reader = fleet.handles(progress)) {
            open = reader.approvals(OpenApproval::kept).stream().map(OpenApproval::ofKept)
                    .filter(each -> isOf(instance, each.call().call().instanceKey())).toList();
            decided = all ? decided(instance, now, progress) : List.of();
        }
        if (json) {
            open.forEach(each -> terminal.print(ShownJson.line(each.json())));
            decided.forEach(each -> terminal.print(ShownJson.line(ApprovalJson.of(each))));
            return Failure.SUCCESS;
        }
        String whose = instance.map(key -> " for instance '" + key + "'").orElse("");
        if (open.isEmpty())
            terminal.print("no call waits for approval" + whose);
        else
            shown(text(now).table(cut(open)), open.size());
        if (all) {
            terminal.print("");
            if (decided.isEmpty())
                terminal.print("nothing was decided within a day" + whose);
            else
                shown(text(now).decided(cut(decided)), decided.size());
        }
        return Failure.SUCCESS;
    }

    /// Prints all that is known of one that is open.
    ///
    /// @throws Failure when none is meant, or several are
    public int show(String named, boolean json) {
        Instant now = fleet.clock().instant();
        OpenApproval open;
        try (ProgressNote progress = fleet.progress(); HandleReader reader = fleet.handles(progress)) {
            open = one(new ApprovalFinder(reader, now, terminal.width()).find(named), named, text(now), terminal);
        }
        if (json)
            terminal.print(ShownJson.pretty(open.json()));
        else
            terminal.print(text(now).card(open));
        return Failure.SUCCESS;
    }

    /// @throws Failure (invalid) after showing those that may be meant
    static OpenApproval one(Found found, String named, ApprovalText text, Terminal terminal) {
        return switch (found) {
            case Found.One(OpenApproval approval) -> approval;
            case Found.Several(List<OpenApproval> approvals) -> {
                text.table(cut(approvals)).forEach(terminal::note);
                throw Failure.invalid(approvals.size() + " open approvals match '" + named
                        + "'; name one by its handle, or by as much of it as no other begins with");
            }
            case Found.Unsure(OpenApproval approval) -> {
                text.table(List.of(approval)).forEach(terminal::note);
                throw Failure.invalid("'" + named
                        + "' may by now mean another call than the one you looked at: calls of"
                        + " other instances get the same id, and short beginnings fit more than one handle. Nothing was"
                        + " sent. If it is the one above, name it by its handle "
                        + View.shown(approval.handle())
                        + " (" + ApprovalFinder.SAFEST + " characters of it are enough), or say whose call it is with"
                        + " its id and --instance");
            }
        };
    }

    private List<AuditEvent> decided(Optional<String> instance, Instant now, ProgressNote progress) {
        List<AuditEvent> events = new ArrayList<>();
        try (TopicScan scan = fleet.scan(progress)) {
            var partitions = scan.partitions(fleet.name(Topic.AUDIT));
            scan.read(scan.since(partitions, now.minus(LATELY)), record -> {
                AuditEvent event = DecisionEvents.of(record);
                if (event != null && event.call() != null && isOf(instance, event.call().instanceKey()))
                    events.add(event);
            });
        }
        events.sort(Comparator.comparing(AuditEvent::occurredAt));
        return events;
    }

    private static boolean isOf(Optional<String> instance, @Nullable String key) {
        return instance.isEmpty() || instance.get().equals(key);
    }

    private void shown(List<String> lines, int count) {
        terminal.print(lines);
        if (count > MAX_ROWS)
            terminal.print("and " + (count - MAX_ROWS) + " more (--json shows all, --instance narrows)");
    }

    /// The oldest of the open ones, which expire first; the oldest of what was decided.
    private static <T> List<T> cut(List<T> rows) {
        return rows.subList(0, Math.min(MAX_ROWS, rows.size()));
    }

    private ApprovalText text(Instant now) {
        return new ApprovalText(View.of(terminal, now));
    }
}
