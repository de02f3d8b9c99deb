package dev.toolfleet.client.turn;

/// Answer to one call of a model, for the tool message of that call.
///
/// @param callId the id of the call, as the model gave it
/// @param text the text for the model
/// @param error true when the call failed or no result came
/// @param pending true when the final result comes later, as [CallNews]
public record ModelAnswer(String callId, String text, boolean error, boolean pending) {}
