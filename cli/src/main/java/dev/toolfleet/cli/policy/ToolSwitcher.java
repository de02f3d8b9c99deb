package dev.toolfleet.cli.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.EntryPattern;
import dev.toolfleet.bundle.Glob;
import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.policy.DenialWriter.Change;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.ResourceReader;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.OperatorSwitch;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The operator's switch: `toolfleet policy deny`, `lift` and `denials`.
public final class ToolSwitcher {
    /// Longer than that is no emergency; a rule in a bundle has no end.
    private static final Duration LONGEST = Duration.ofDays(30);

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// The switch of this fleet.
    public ToolSwitcher(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Author of a switch, and the reason.
    public record Reason(String by, @Nullable String reason) {}

    /// Denies tools to everybody.
    ///
    /// @param period for how long; null when `until` is given
    /// @param until null when `period` is given
    /// @throws Failure (invalid) when the pattern or the time cannot be used
    public int deny(String pattern, @Nullable Duration period, @Nullable Instant until, Reason why) {
        Instant now = fleet.clock().instant();
        OperatorDenial denial = OperatorDenial.of(usable(pattern), why.reason() == null ? "" : why.reason().strip(),
                why.by(), now, end(now, period, until));
        fleet.check(Topic.RESOURCE, Topic.AUDIT);
        ResourceTable after = new DenialWriter(fleet).write(table -> new Change(
                OperatorSwitch.deny(denial, table, now), List.of(audit("policy-deny", denial.name(), denial.until(),
                        why, now))));
        List<KnownTool> known = KnownTool.all(after.view().live(now));
        List<String> hits = DenialText.hits(denial, known);
        terminal.print(denial.name() + " is denied to everybody until " + denial.until() + ", for "
                + DurationText.coarse(Duration.between(now, denial.until())) + ".");
        if (hits.isEmpty())
            terminal.note("toolfleet: warning: no tool of this fleet is called like " + denial.name()
                    + " now; the denial holds for any that comes. See toolfleet policy explain TOOL for names.");
        else
            terminal.print(hits.size() + (hits.size() == 1 ? " tool: " : " tools: ") + DenialText.some(hits));
        warn(DenialText.missed(denial, known));
        terminal.print("Catalogs leave them out from each agent's next step on; workers refuse calls of them at once, "
                + "queued ones too. What runs already goes on: toolfleet cancel ends it.");
        return Failure.SUCCESS;
    }

    private void warn(List<KnownTool> missed) {
        if (missed.isEmpty())
            return;
        List<String> names = missed.stream().map(tool -> tool.name() + " (" + tool.bundle() + ")").toList();
        terminal.note("toolfleet: warning: the same code is also reached as " + DenialText.some(names)
                + ", which this does not deny; to deny it under every name: toolfleet policy deny "
                + missed.stream().map(KnownTool::entry).distinct().sorted().map(entry -> "'" + entry + "'")
                        .collect(Collectors.joining(" and ")));
    }

    /// Ends denials before their time.
    ///
    /// @param patterns as they were given to `deny`; none for all
    /// @throws Failure (invalid) when one of them is not denied
    public int lift(List<String> patterns, Reason why) {
        Instant now = fleet.clock().instant();
        fleet.check(Topic.RESOURCE, Topic.AUDIT);
        List<String> lifted = new ArrayList<>();
        ResourceTable after = new DenialWriter(fleet).write(table -> {
            lifted.addAll(chosen(patterns, OperatorSwitch.names(table, now)));
            return new Change(OperatorSwitch.lift(lifted, table, now),
                    lifted.stream().map(name -> audit("policy-lift", name, null, why, now)).toList());
        });
        List<String> left = OperatorSwitch.names(after, now);
        terminal.print("lifted: " + DenialText.some(lifted) + ". The rules of the bundles hold again, at once.");
        if (!left.isEmpty())
            terminal.print("still denied: " + DenialText.some(left));
        return Failure.SUCCESS;
    }

    /// Lists what is denied now.
    public int list(boolean json) {
        fleet.check(Topic.RESOURCE);
        ResourceTable table = new ResourceReader(fleet.name(Topic.RESOURCE),
                fleet.kafka()).read();
        Instant now = fleet.clock().instant();
        FleetResources resources = table.view();
        List<OperatorDenial> denials = resources.denials().stream().filter(denial -> denial.isLive(now)).toList();
        List<KnownTool> known = KnownTool.all(resources.live(now));
        if (json)
            terminal.print(json(denials, known));
        else if (denials.isEmpty())
            terminal.print("nothing is switched off");
        else
            terminal.print(DenialText.lines(denials, known, View.of(terminal, now)));
        Set<String> readable = resources.bundle(OperatorDenial.BUNDLE).map(bundle -> bundle.denials().keySet())
                .orElse(Set.of());
        OperatorSwitch.names(table, now).stream().filter(name -> !readable.contains(name))
                .forEach(name -> terminal.note("toolfleet: warning: the denial '" + name + "' cannot be read by this"
                        + " version, and denies every tool; end it with toolfleet policy lift '" + name + "'"));
        return Failure.SUCCESS;
    }

    private static List<String> chosen(List<String> patterns, List<String> denied) {
        if (denied.isEmpty())
            throw Failure.invalid("nothing is switched off, so there is nothing to lift");
        if (patterns.isEmpty())
            return denied;
        List<String> chosen = new ArrayList<>();
        for (String pattern : patterns) {
            String name = name(pattern);
            if (!denied.contains(name))
                throw Failure.invalid("'" + name + "' is not switched off; what is: " + String.join(", ", denied)
                        + ". A denial is lifted under the pattern that it was given.");
            chosen.add(name);
        }
        return chosen.stream().distinct().toList();
    }

    /// As it stands on the topic. What cannot be used may have been written by a later version.
    private static String name(String pattern) {
        if (EntryPattern.looksLikeOne(pattern))
            return EntryPattern.problem(pattern).isPresent()
                    ? pattern.strip()
                    : EntryPattern.of(pattern).toString();
        return Glob.problem(pattern).isPresent()
                ? pattern.strip().toLowerCase(Locale.ROOT)
                : Glob.of(pattern).toString();
    }

    private static String usable(String pattern) {
        boolean entry = EntryPattern.looksLikeOne(pattern);
        (entry ? EntryPattern.problem(pattern) : Glob.problem(pattern)).ifPresent(problem -> {
            throw Failure.invalid((entry ? "the entry '" : "the pattern '") + pattern + "' " + problem + ". The switch"
                    + " goes by tools' names, such as bash__exec or 'bash__*', or by their code, such as builtin:bash or"
                    + " 'java:com.acme.*'; '*' is every tool; groups and sources are for rules in a bundle.");
        });
        return pattern;
    }

    private static Instant end(Instant now, @Nullable Duration period, @Nullable Instant until) {
        if ((period == null) == (until == null))
            throw Failure.invalid("say when the denial ends: either --for 1h or --until 2026-11-21T20:00:00Z");
        boolean tooLong = period == null
                ? now.plus(LONGEST).isBefore(until)
                : period.compareTo(LONGEST) > 0;
        if (tooLong)
            throw Failure.invalid("a denial ends within " + LONGEST.toDays() + " d; what is to stay denied is a rule of"
                    + " a ToolPolicy (reach: fleet), which has no end");
        if (period != null && !period.isPositive())
            throw Failure.invalid("a denial holds for a while, and not for " + DurationText.text(period));
        Instant end = period == null ? until : now.plus(period);
        if (end == null || !now.isBefore(end))
            throw Failure.invalid("--until " + until + " is over; it is " + now);
        return end;
    }

    private static AuditEvent audit(String action, String name, @Nullable Instant until, Reason why, Instant now) {
        return new AuditEvent(AuditEvent.Kind.OPERATOR, action, why.by(), why.reason(), name, until, null, null,
                OperatorDenial.rule(name), null, null, false, null, now);
    }

    private static String json(List<OperatorDenial> denials, List<KnownTool> known) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        for (OperatorDenial denial : denials) {
            ObjectNode json = DenialText.json(denial);
            DenialText.hits(denial, known).forEach(json.putArray("hits")::add);
            array.add(json);
        }
        return ShownJson.pretty(array);
    }
}
