package dev.toolfleet.wire;

import java.util.List;
import java.util.Optional;

import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Label of an agent instance as the whole fleet knows it, on `agent.label` under [#key()] until a tombstone. Written by
/// the owner of the instance's partition, in the transaction of the result that adds the label (`docs/labels.md`).
///
/// @param kind always [#KIND]
/// @param instanceKey the instance
/// @param count that of its [InstanceLabel]
/// @param since that of its [InstanceLabel]
/// @param added the label, and the call whose result added it
public record PublishedLabel(String kind, String instanceKey, long count, long since, AddedLabel added) {
    /// Value of `kind`.
    public static final String KIND = "own";

    /// Checks that all parts are present.
    public PublishedLabel {
        requireNonNull(kind, "kind");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(added, "added");
        if (count < 0 || since < 0)
            throw new IllegalArgumentException("count and since must not be negative, got " + count + " and " + since);
    }

    /// Returns the same label for the fleet.
    public static PublishedLabel of(InstanceLabel label) {
        return new PublishedLabel(KIND, label.instanceKey(), label.count(), label.since(), label.added());
    }

    /// Returns the record's key: a JSON array of kind, instance and term.
    public String key() {
        return Json.MAPPER.valueToTree(List.of(KIND, instanceKey, term())).toString();
    }

    /// Returns the [InstanceLabel#term()] of the label.
    public String term() {
        return added.label() + "/" + since;
    }

    /// Returns the instance and the term that a key names; empty for a key of another record.
    public static Optional<List<String>> named(String key) {
        try {
            JsonNode parts = Json.MAPPER.readTree(key);
            return parts.isArray() && parts.size() == 3 && KIND.equals(parts.get(0).asString(""))
                    ? Optional.of(List.of(parts.get(1).asString(""), parts.get(2).asString("")))
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
