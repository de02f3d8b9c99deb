package dev.toolfleet.cli.budget;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.node.ObjectNode;

/// `toolfleet budget show`: what instances, turns, agents and users have spent, by the journal. An entry of the journal is a
/// total, an amount beside one, or that of a call that began and has no result. Amounts of agents and users are added up
/// over all partitions.
public final class BudgetReport {
    private static final int WIDEST = 40;
    private static final int TURN_DIGITS = 8;

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Budgets of this fleet.
    public BudgetReport(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Prints the amounts.
    ///
    /// @param instance of the amounts; empty for all instances
    public int show(Optional<String> instance, boolean json) {
        List<SpentBudget> found = read(instance);
        if (json) {
            found.forEach(each -> terminal.print(ShownJson.line(json(each))));
        } else if (found.isEmpty()) {
            terminal.print(instance.map(one -> "instance '" + one + "' has spent nothing").orElse("nothing was spent")
                    + "; a call spends once it begins under a resource of kind EffectBudget");
        } else {
            View view = fleet.view();
            Grid grid = view.grid("OWNER", "BUDGET", "PER", "SPENT", "NEWEST CALL");
            found.forEach(each -> grid.row(View.cell(owner(each), WIDEST), View.cell(each.budget(), WIDEST),
                    per(each), amount(each), view.age(each.calledAt()) + " ago"));
            terminal.print(view.lines(grid));
        }
        return Failure.SUCCESS;
    }

    /// The instance, agent or user; `-` for calls that name none.
    private static String owner(SpentBudget spent) {
        String name = spent.instanceKey() == null ? spent.name() : spent.instanceKey();
        return name == null || name.isEmpty() ? "-" : name;
    }

    private static String per(SpentBudget spent) {
        if (spent.per() != null)
            return spent.per() + " " + spent.date();
        String turn = spent.turn();
        return turn == null ? "instance" : "turn " + turn.substring(0, Math.min(TURN_DIGITS, turn.length()));
    }

    private static String amount(SpentBudget spent) {
        return spent.unit().equals(SpentBudget.COST)
                ? "cost " + spent.amount()
                : spent.amount() + (spent.amount() == 1 ? " call" : " calls");
    }

    private List<SpentBudget> read(Optional<String> instance) {
        fleet.check(Topic.JOURNAL);
        Map<String, List<SpentBudget>> entries = new HashMap<>();
        try (ProgressNote progress = fleet.progress(); TopicScan scan = fleet.scan(progress)) {
            scan.read(fleet.name(Topic.JOURNAL), record -> journal(record, entries));
        }
        return totals(entries.values().stream().flatMap(List::stream)
                .filter(each -> instance.isEmpty() || instance.get().equals(each.instanceKey())).toList());
    }

    private static void journal(ConsumerRecord<byte[], byte[]> record, Map<String, List<SpentBudget>> entries) {
        if (record.key() == null)
            return;
        // Identities of calls may be the same in two partitions, after partitions were added.
        String key = record.partition() + " " + new String(record.key(), StandardCharsets.UTF_8);
        entries.remove(key);
        if (record.value() == null)
            return;
        try {
            switch (JournalEntry.read(record.value())) {
                case SpentBudget spent -> entries.put(key, List.of(spent));
                case CallIntent intent -> entries.put(key, intent.spent());
                default -> {
                    // An entry that spends nothing.
                }
            }
        } catch (WireFormatException e) {
            // An entry of a later version; workers of this version pass over it, too.
        }
    }

    /// Adds the entries of each budget and owner, in the order of instances and budgets.
    static List<SpentBudget> totals(List<SpentBudget> entries) {
        Map<BudgetPlace, SpentBudget> totals = new HashMap<>();
        for (SpentBudget each : entries) {
            SpentBudget alone = SpentBudget.at(each.place().total(), each.amount(), each.calledAt());
            totals.merge(alone.place(), alone, BudgetReport::sum);
        }
        List<SpentBudget> sorted = new ArrayList<>(totals.values());
        sorted.sort(Comparator.comparing(BudgetReport::kind).thenComparing(BudgetReport::owner)
                .thenComparing(SpentBudget::budget)
                .thenComparing(SpentBudget::calledAt).thenComparing(SpentBudget::key));
        return sorted;
    }

    /// Instances come first, then agents, then users.
    private static String kind(SpentBudget spent) {
        return spent.per() == null ? "" : spent.per();
    }

    private static SpentBudget sum(SpentBudget one, SpentBudget other) {
        return SpentBudget.at(one.place(), one.amount() + other.amount(),
                one.calledAt().isAfter(other.calledAt()) ? one.calledAt() : other.calledAt());
    }

    private static ObjectNode json(SpentBudget spent) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("instanceKey", spent.instanceKey())
                .put("budget", spent.budget()).put("unit", spent.unit()).put("turn", spent.turn());
        if (spent.per() != null)
            json.put("per", spent.per()).put("date", spent.date()).put("name", spent.name());
        return json.put("amount", spent.amount()).put("calledAt", spent.calledAt().toString());
    }
}
