package dev.toolfleet.worker.record;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.guard.ResultGuard;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.producer.ProducerRecord;

/// The writers of a worker's records.
public final class Records {
    /// Room that key, headers and framing take of a record beside its value. Ids have at most 1,024 characters; five of
    /// them make the identity, whose characters may take six bytes each.
    private static final int RECORD_OVERHEAD = 48 * 1024;
    private static final int MAX_RESULT = Topic.RESULT.maxRecordBytes() - RECORD_OVERHEAD;
    /// Room that the fields of a result take beside its output.
    private static final int ENVELOPE = 64 * 1024;
    /// The most bytes of an output that fits into a result.
    public static final int MAX_OUTPUT = MAX_RESULT - ENVELOPE;

    private final RecordWriter writer;
    private final JournalRecords journal;
    private final InstantSource clock;
    private final String helpBaseUrl;
    private final WorkerMeters meters;

    /// Makes them.
    ///
    /// @param worker the name of the worker
    /// @param helpBaseUrl put before an error code to make `helpUrl`; empty for none
    public Records(Topics topics, String worker, String helpBaseUrl, InstantSource clock, WorkerMeters meters) {
        this.writer = new RecordWriter(topics, worker, clock);
        this.journal = new JournalRecords(writer);
        this.clock = clock;
        this.helpBaseUrl = helpBaseUrl;
        this.meters = meters;
    }

    /// Returns the writer that the others share.
    public RecordWriter writer() {
        return writer;
    }

    /// Returns the writer of the journal.
    public JournalRecords journal() {
        return journal;
    }

    /// Returns the record of a request that is sent by itself.
    public ProducerRecord<byte[], byte[]> request(AgentEvent event) {
        return AgentRecords.of(writer, event);
    }

    /// Returns the records of `agent.label` that must be read before such a request is sent; none between agents of one
    /// instance.
    public List<ProducerRecord<byte[], byte[]>> labelsOf(AgentEvent request) {
        return new SentLabels(writer).asked(request);
    }

    /// Makes the writer of outcomes.
    ///
    /// @param loops counts final results
    /// @param pending receives the handles that calls wait for
    public OutcomeRecords outcomes(LoopStage loops, Consumer<OpenHandle> pending) {
        ResultRecords results = new ResultRecords(writer, clock, MAX_RESULT);
        return new OutcomeRecords(results, new SideRecords(writer, results, clock), journal, clock, helpBaseUrl, meters,
                loops, pending);
    }

    /// Makes the writer of progress.
    ///
    /// @param publisher takes its records
    public ProgressReports progress(ResultGuard guard, Consumer<ProducerRecord<byte[], byte[]>> publisher,
            DeadlineLoop deadlines) {
        return new ProgressReports(writer, guard, publisher, deadlines, clock, System::nanoTime);
    }
}
