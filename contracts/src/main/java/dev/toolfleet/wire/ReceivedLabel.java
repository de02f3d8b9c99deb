package dev.toolfleet.wire;

import java.util.List;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Label that an agent instance has received from another one, on `agent.label` under [#key()]. Written in the
/// transaction of the message that carries it (`docs/labels.md`).
///
/// @param kind [#RECEIVED]; [#CLEARED] for an operator's word that the record of that event counts no more
/// @param instanceKey the instance that received it
/// @param from the instance that has it
/// @param eventId the event that carried it
/// @param added the label, and the call whose result added it; absent when all labels of `from` count for the instance,
///        present and later ones, because it has requested something of it
public record ReceivedLabel(String kind, String instanceKey, String from, String eventId, @Nullable AddedLabel added) {
    /// The record is one of a label.
    public static final String RECEIVED = "received";
    /// The record is one of an operator.
    public static final String CLEARED = "cleared";
    private static final String ALL = "*";

    /// Checks that both instances and the event are named.
    public ReceivedLabel {
        requireNonNull(kind, "kind");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(from, "from");
        requireNonNull(eventId, "eventId");
    }

    /// Makes the record of a label that a message carries.
    public static ReceivedLabel of(String instanceKey, String from, String eventId, AddedLabel added) {
        return new ReceivedLabel(RECEIVED, instanceKey, from, eventId, added);
    }

    /// Makes the record of a request: all labels of the other instance count.
    public static ReceivedLabel all(String instanceKey, String from, String eventId) {
        return new ReceivedLabel(RECEIVED, instanceKey, from, eventId, null);
    }

    /// Returns an operator's word that this record counts no more. A later event's record counts.
    public ReceivedLabel cleared() {
        return new ReceivedLabel(CLEARED, instanceKey, from, eventId, added);
    }

    /// Returns the record's key: a JSON array of kind, receiver, sender and label.
    public String key() {
        return key(kind);
    }

    /// Returns the key that the record of an operator about this one has.
    public String clearedKey() {
        return key(CLEARED);
    }

    private String key(String of) {
        return Json.MAPPER.valueToTree(List.of(of, instanceKey, from, added == null ? ALL : added.label())).toString();
    }
}
