package dev.toolfleet.cli.backtest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.TopicScan;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/// Reader of some partitions of `tool.call`, and then of their results. Before that, if a rule looks at labels, it reads
/// all results that there are, for the labels that they have added. One thread, which owns the scan.
///
/// **Why.** The results are read in a second pass: a result may come hours after its call, and one pass would have to
/// keep every call until its result. The second pass keeps nothing but the places of calls with findings.
final class CallReader {
    private final BacktestQuery query;
    private final PolicyPair policies;
    private final LabelHistory labels;
    private final TravelledLabels travelled;
    private final HistoryReader history;
    private final CallJudge judge;
    private final BacktestTally tally;
    private final FoundCalls found;
    private final Map<Example.Place, List<Example>> examples = new HashMap<>();

    /// @param most the number of calls whose results are looked up
    /// @param mostLabelled the number of instances whose labels are kept
    /// @param travelled labels that instances have from others
    CallReader(BacktestQuery query, PolicyPair policies, int most, int mostLabelled, TravelledLabels travelled) {
        this.query = query;
        this.policies = policies;
        labels = new LabelHistory(mostLabelled);
        this.travelled = travelled;
        history = new HistoryReader(policies, labels);
        judge = new CallJudge(policies);
        tally = new BacktestTally(query.examples());
        found = new FoundCalls(most);
    }

    /// Reads calls and results of these partitions.
    BacktestTally read(TopicScan scan, Collection<Integer> partitions, String calls, String results) {
        if (policies.readLabels()) {
            scan.read(scan.beginnings(of(results, partitions)), this::label);
            tally.labelsNotKept(labels.dropped());
        }
        scan.read(scan.since(of(calls, partitions), query.since()), this::call);
        if (!found.isEmpty()) {
            tally.examples().forEach(example -> examples
                    .computeIfAbsent(example.place(), place -> new ArrayList<>()).add(example));
            // A result is written after its call.
            scan.read(scan.since(of(results, partitions), query.since()), this::result);
            found.results(FindingGroup::returned);
        }
        return tally;
    }

    BacktestTally tally() {
        return tally;
    }

    void label(ConsumerRecord<byte[], byte[]> record) {
        history.result(record);
    }

    private static List<TopicPartition> of(String topic, Collection<Integer> partitions) {
        return partitions.stream().map(number -> new TopicPartition(topic, number)).toList();
    }

    void call(ConsumerRecord<byte[], byte[]> record) {
        PastCall call = PastCall.read(record.value());
        if (call == null)
            tally.unreadable();
        else if (query.selects(call))
            judge(call, record);
    }

    private void judge(PastCall call, ConsumerRecord<byte[], byte[]> record) {
        PastLabels had = travelled.with(
                labels.at(record.partition(), call.instanceKey(), record.timestamp(), record.offset()),
                call.instanceKey(), record.timestamp());
        switch (judge.judge(call, had, record.value())) {
            case PastVerdict.NotJudged(var reason) -> tally.notJudged(reason, call.name());
            case PastVerdict.Judged judged -> {
                tally.judged(judged);
                for (Difference difference : judged.differences()) {
                    found.add(record.partition(), record.offset(), tally.count(difference, call));
                    tally.offer(new Example(new Example.Place(record.partition(), record.offset()),
                            record.timestamp(), call, had.of(difference.finding()), difference));
                }
            }
        }
    }

    private void result(ConsumerRecord<byte[], byte[]> record) {
        long offset = PastResult.callOffset(record);
        if (offset == PastResult.NO_CALL || !found.has(record.partition(), offset))
            return;
        PastResult result = PastResult.read(record.value());
        Returned returned = result == null ? Returned.UNKNOWN : result.returned();
        found.returned(record.partition(), offset, returned);
        examples.getOrDefault(new Example.Place(record.partition(), offset), List.of())
                .forEach(example -> example.returns(returned, result == null ? null : result.code()));
    }
}
