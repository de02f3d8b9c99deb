package dev.toolfleet.cli.backtest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.TopicScan;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/// Reader of some partitions of `tool.call`, and then of their results. One thread, which owns the scan.
///
/// **Why.** The results are read in a second pass: a result may come hours after its call, and one pass would have to
/// keep every call until its result. The second pass keeps nothing but the places of calls with findings.
final class CallReader {
    private final BacktestQuery query;
    private final CallJudge judge;
    private final BacktestTally tally;
    private final FoundCalls found;
    private final Map<Example.Place, List<Example>> examples = new HashMap<>();

    /// @param most the number of calls whose results are looked up
    CallReader(BacktestQuery query, PolicyPair policies, int most) {
        this.query = query;
        judge = new CallJudge(policies);
        tally = new BacktestTally(query.examples());
        found = new FoundCalls(most);
    }

    /// Reads calls and results of these partitions.
    BacktestTally read(TopicScan scan, Collection<Integer> partitions, String calls, String results) {
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

    private static List<TopicPartition> of(String topic, Collection<Integer> partitions) {
        return partitions.stream().map(number -> new TopicPartition(topic, number)).toList();
    }

    private void call(ConsumerRecord<byte[], byte[]> record) {
        PastCall call = PastCall.read(record.value());
        if (call == null)
            tally.unreadable();
        else if (query.selects(call))
            judge(call, record);
    }

    private void judge(PastCall call, ConsumerRecord<byte[], byte[]> record) {
        switch (judge.judge(call, record.value())) {
            case PastVerdict.NotJudged(var reason) -> tally.notJudged(reason, call.name());
            case PastVerdict.Judged judged -> {
                tally.judged(judged);
                for (Difference difference : judged.differences()) {
                    found.add(record.partition(), record.offset(), tally.count(difference, call));
                    tally.offer(new Example(new Example.Place(record.partition(), record.offset()),
                            record.timestamp(), call, difference));
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
