package dev.toolfleet.client.turn;

import dev.toolfleet.wire.ToolCall;

/// Final result of a call that was answered as pending. It is a message of its own in the conversation, since the tool
/// message of the call has its answer.
///
/// @param call the call
/// @param text the text for the model; it names the tool, its arguments and the outcome
public record CallNews(ToolCall call, String text) {}
