package dev.toolfleet.worker.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.PublishedBudget;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.WrittenBudgets;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Records of `tool.budget`: amounts of agents and users as the whole fleet knows them. They repeat the entries of the
/// journal, in the same transaction (`docs/decisions/0106`). Thread-safe.
record PublishedBudgets(RecordWriter writer) {
    private static final WireCodec<PublishedBudget> CODEC = WireCodec.of(PublishedBudget.class);

    List<ProducerRecord<byte[], byte[]>> of(CallFacts run, WrittenBudgets written) {
        Position position = run.call().arrival().position();
        String instance = run.call().arrival().instanceKey();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (SpentBudget spent : written.spent()) {
            if (spent.per() == null)
                continue;
            PublishedBudget known = PublishedBudget.of(position.partition(), spent, taken(spent, written));
            records.add(writer.byKey(Topic.BUDGET, known.key(), CODEC.write(known),
                    writer.headers(EventType.TOOL_BUDGET, instance)));
        }
        for (BudgetPlace place : written.gone())
            if (place.day() != null)
                records.add(writer.end(Topic.BUDGET, new BudgetPlace.InPartition(position.partition(), place).key(),
                        writer.headers(EventType.TOOL_BUDGET, instance)));
        return records;
    }

    private static List<String> taken(SpentBudget spent, WrittenBudgets written) {
        BudgetPlace total = spent.place();
        return total.call() != null
                ? List.of()
                : written.gone().stream().filter(place -> place.total().equals(total)).map(BudgetPlace::call)
                        .filter(Objects::nonNull).toList();
    }
}
