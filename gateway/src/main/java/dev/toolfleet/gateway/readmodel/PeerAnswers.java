package dev.toolfleet.gateway.readmodel;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON of an [Answer] between replicas: an object with one of `found`, `unknown` and `unavailable`.
///
/// @param <T> the requested value
/// @param type its class
record PeerAnswers<T>(Class<T> type) {
    static final PeerAnswers<CallView> VIEW = new PeerAnswers<>(CallView.class);
    static final PeerAnswers<CallEvents> EVENTS = new PeerAnswers<>(CallEvents.class);
    static final PeerAnswers<CallId> CALL = new PeerAnswers<>(CallId.class);
    static final PeerAnswers<InstanceResults> RESULTS = new PeerAnswers<>(InstanceResults.class);
    static final PeerAnswers<CallPage> PAGE = new PeerAnswers<>(CallPage.class);
    static final PeerAnswers<FleetLoad> LOAD = new PeerAnswers<>(FleetLoad.class);
    private static final String FOUND = "found";
    private static final String UNKNOWN = "unknown";
    private static final String UNAVAILABLE = "unavailable";

    ObjectNode write(Answer<T> answer) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        return switch (answer) {
            case Answer.Found<T>(T value) -> {
                json.set(FOUND, Json.MAPPER.valueToTree(value));
                yield json;
            }
            case Answer.Unknown<T>(String reason) -> json.put(UNKNOWN, reason);
            case Answer.Unavailable<T>(String reason) -> json.put(UNAVAILABLE, reason);
        };
    }

    /// Reads an answer. One that this version cannot read is `Unavailable`.
    Answer<T> read(byte[] body) {
        try {
            JsonNode json = Json.MAPPER.readTree(body);
            if (json.hasNonNull(FOUND))
                return new Answer.Found<>(Json.MAPPER.treeToValue(json.get(FOUND), type));
            if (json.hasNonNull(UNKNOWN))
                return new Answer.Unknown<>(json.get(UNKNOWN).asString(""));
            return new Answer.Unavailable<>(
                    json.path(UNAVAILABLE).asString("the owner of the partition sent no answer"));
        } catch (JacksonException e) {
            return new Answer.Unavailable<>("the owner of the partition sent an answer that this version cannot read");
        }
    }
}
