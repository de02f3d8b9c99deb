package dev.toolfleet.worker.app;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.worker.agents.RequestSender;
import dev.toolfleet.worker.identity.FleetLabels;
import dev.toolfleet.worker.record.Records;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Sender of requests that handlers wait for (`ask`). The two instances become readers of each other first, and the
/// request follows once this worker has read that from `agent.label`.
///
/// Otherwise: the topic has no leader for a while, its records wait, the request does not, and the other instance calls
/// without the labels of this one.
///
/// @param read waits until the view has all labels that were written before; false if they cannot be read now
/// @param publisher publishes a record soon
record LabelledRequests(Supplier<Records> records, FleetLabels labels, LabelRead read,
        Consumer<ProducerRecord<byte[], byte[]>> publisher) implements RequestSender {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(5);

    /// Read of `agent.label` up to its end.
    @FunctionalInterface
    interface LabelRead {
        boolean caughtUp() throws InterruptedException;
    }

    @Override
    public void send(AgentEvent request) throws InterruptedException {
        List<ProducerRecord<byte[], byte[]>> readers = records.get().labelsOf(request);
        readers.forEach(publisher);
        if (!readers.isEmpty() && !areReaders(request))
            throw new IllegalStateException(
                    "agent.label cannot be written now, so the labels that go with a request to "
                            + request.to() + " are not known to the fleet. Nothing was sent; ask again in a minute.");
        publisher.accept(records.get().request(request));
    }

    private boolean areReaders(AgentEvent request) throws InterruptedException {
        AgentAddress from = request.from();
        if (from == null)
            return true;
        String one = from.instanceKey();
        String other = request.to().instanceKey();
        long since = System.nanoTime();
        while (System.nanoTime() - since < PATIENCE.toNanos()) {
            if (read.caughtUp() && labels.readsAllOf(one, other) && labels.readsAllOf(other, one))
                return true;
            Thread.sleep(PAUSE);
        }
        return false;
    }
}
