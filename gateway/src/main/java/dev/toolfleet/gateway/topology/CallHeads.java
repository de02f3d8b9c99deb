package dev.toolfleet.gateway.topology;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.LoadCount;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/// Heads of the calls of one partition, from which lists are made. A call has one once its own record is read.
///
/// **Contract.** A head is a function of the call's parts, in whatever order they came. A call that is accepted and then
/// ends costs no read of its parts.
///
/// **Threads.** One task's thread writes. Readers in other threads find an ending call under one of its two keys at
/// least: the head of the ended call is written before that of the open one is deleted.
final class CallHeads {
    private final int partition;
    private final KeyValueStore<byte[], byte[]> calls;
    private final KeyValueStore<byte[], byte[]> index;
    /// The highest offset of a call with a part other than the call itself. A call behind it has no earlier part.
    private long highest;

    CallHeads(int partition, KeyValueStore<byte[], byte[]> calls, KeyValueStore<byte[], byte[]> index) {
        this.partition = partition;
        this.calls = calls;
        this.index = index;
        try (KeyValueIterator<byte[], byte[]> last = calls.reverseAll()) {
            highest = last.hasNext() ? Part.callOffset(last.next().key) : -1;
        }
    }

    /// Notes that a call has a part other than itself.
    void noted(long call) {
        highest = Math.max(highest, call);
    }

    /// Writes the head of a call whose record was read.
    void accepted(long call, ToolCall of, Instant at) {
        CallSummary head = CallSummary.accepted(new CallId(partition, call), of, at);
        write(call <= highest ? withParts(head) : head);
    }

    /// Returns the head of a call that has not ended; null if it has ended, or its record is not read yet.
    @Nullable
    CallSummary unended(long call) {
        byte[] head = index.get(IndexKey.unended(call));
        try {
            return head == null ? null : HeadCodec.read(new CallId(partition, call), head);
        } catch (WireFormatException e) {
            // Written by a later version.
            return null;
        }
    }

    /// Writes the head of a call whose final result was read.
    void ended(CallSummary head, ResultHead result, Instant at) {
        write(PartFacts.ended(head, result, at));
        index.delete(IndexKey.unended(head.id().offset()));
    }

    /// Writes the head of a call that has reported progress.
    void reported(CallSummary head, byte[] record) {
        // Every later stage hides it.
        if (head.stage() == CallStage.ACCEPTED && PartFacts.isProgress(record))
            write(head.in(CallStage.RUNNING, head.replayed()));
    }

    /// Writes the head of a call whose waits have changed, or its pending result.
    void changed(CallSummary head) {
        CallSummary now = withParts(head);
        if (!now.equals(head))
            write(now);
    }

    private CallSummary withParts(CallSummary head) {
        PartFacts facts = new PartFacts();
        long call = head.id().offset();
        try (KeyValueIterator<byte[], byte[]> parts = calls.range(Part.WAIT.keysOfPart(call),
                Part.keysOf(call + 1))) {
            while (parts.hasNext()) {
                KeyValue<byte[], byte[]> part = parts.next();
                facts.add(part.key, part.value);
            }
        }
        return facts.of(head);
    }

    private void write(CallSummary head) {
        long call = head.id().offset();
        index.put(head.stage() == CallStage.ENDED ? IndexKey.ended(call) : IndexKey.unended(call),
                HeadCodec.write(head));
    }

    /// Counts the open calls of partitions, and the minutes of the last hour.
    static LoadCount load(Map<Integer, ReadOnlyKeyValueStore<byte[], byte[]>> indexes, Instant now) {
        LoadCount count = new LoadCount();
        count.addHour(now);
        indexes.forEach((partition, index) -> {
            try (KeyValueIterator<byte[], byte[]> heads = index.range(IndexKey.unended(0),
                    IndexKey.unended(Long.MAX_VALUE))) {
                while (heads.hasNext()) {
                    KeyValue<byte[], byte[]> head = heads.next();
                    if (HeadCodec.isReadable(head.value))
                        count.add(HeadCodec.read(new CallId(partition, IndexKey.number(head.key)), head.value));
                }
            }
            Instant first = now.minus(FleetLoad.MINUTES - 1L, ChronoUnit.MINUTES);
            MinuteCounts.read(index, first).forEach(count::add);
        });
        return count;
    }
}
