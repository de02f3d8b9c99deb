package dev.toolfleet.wire;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Entry of `tool.journal`. Under a call's identity, until a tombstone: its handler is about to start, or it waits for
/// a handle. Under [PartitionFrontier#KEY]: the frontier of the partition. Under [PartitionOwner#KEY], until a
/// tombstone: the owner of the partition. Under [InstanceLabel#key(String, String)], until a tombstone: a label of an
/// instance. Under [SpentBudget#key()], until a tombstone: an amount that was spent of a budget.
public sealed interface JournalEntry
        permits CallIntent, InstanceLabel, OpenHandle, PartitionFrontier, PartitionOwner, SpentBudget {
    /// Returns the record's key: the call's identity, or a reserved key.
    String key();

    /// Reads an entry. One with a handle is an [OpenHandle], one with a topic's id a [PartitionFrontier], one with a
    /// limit of calls in flight a [PartitionOwner]. All others carry a `kind`: `label` is an [InstanceLabel], `budget` a
    /// [SpentBudget], any other value an entry of a later version.
    ///
    /// @throws WireFormatException when the bytes are none of the entries; then the call of that key must not run
    static JournalEntry read(byte[] value) {
        try {
            JsonNode tree = Json.MAPPER.readTree(value);
            if (tree.path("kind").asString("").equals(InstanceLabel.KIND))
                return Codecs.LABELS.read(value);
            if (tree.path("kind").asString("").equals(SpentBudget.KIND))
                return Codecs.BUDGETS.read(value);
            if (tree.hasNonNull("kind")) {
                UnknownKinds.meet(UnknownKinds.nameOf(JournalEntry.class), tree.path("kind").asString(""));
                throw new WireFormatException(
                        "a journal entry expected, but its 'kind' is none that this version knows");
            }
            if (tree.hasNonNull("topicId"))
                return Codecs.FRONTIERS.read(value);
            if (tree.hasNonNull("maxInFlight"))
                return Codecs.OWNERS.read(value);
            return tree.hasNonNull("handle") ? Codecs.HANDLES.read(value) : Codecs.INTENTS.read(value);
        } catch (JacksonException e) {
            throw new WireFormatException("a journal entry expected: " + e.getOriginalMessage(), e);
        }
    }

    /// The codecs, made once.
    final class Codecs {
        private static final WireCodec<CallIntent> INTENTS = WireCodec.of(CallIntent.class);
        private static final WireCodec<OpenHandle> HANDLES = WireCodec.of(OpenHandle.class);
        private static final WireCodec<PartitionFrontier> FRONTIERS = WireCodec.of(PartitionFrontier.class);
        private static final WireCodec<InstanceLabel> LABELS = WireCodec.of(InstanceLabel.class);
        private static final WireCodec<SpentBudget> BUDGETS = WireCodec.of(SpentBudget.class);
        private static final WireCodec<PartitionOwner> OWNERS = WireCodec.of(PartitionOwner.class);

        private Codecs() {}
    }
}
