package dev.toolfleet.bench.engine;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import tools.jackson.databind.node.JsonNodeFactory;

/// The calls of a run as they stand on the topic, and the step of each instance that they belong to.
///
/// @param export of [ComparedTool]
/// @param work how long each takes
/// @param textBytes of each call's text
public record ComparedCalls(String export, Duration work, int textBytes) {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<StepStarted> STEPS = WireCodec.of(StepStarted.class);
    private static final String WORDS = "the weather in the valley was fine and nobody asked for more than 12 reports ";
    private static final String USER = "user-1";
    private static final String CHANNEL = "channel-1";

    /// The name of an instance.
    public static String instance(int key) {
        return "instance-" + key;
    }

    /// The record's key.
    public static byte[] key(int key) {
        return instance(key).getBytes(StandardCharsets.UTF_8);
    }

    /// The event that begins the one step of an instance.
    public static byte[] step(int key) {
        return STEPS.write(new StepStarted(instance(key), ComparedTool.AGENT, turn(key), stepId(key), 0, USER, CHANNEL,
                null));
    }

    /// The id of an instance's one step.
    public static String stepId(int key) {
        return turn(key) + "-step-0";
    }

    /// The call of this number, to an instance.
    public byte[] call(int number, int key) {
        return CALLS.write(ToolCall
                .of(String.format(Locale.ROOT, "call-%07d", number), ComparedTool.TOOL + "__" + export,
                        JsonNodeFactory.instance.objectNode().put(ComparedTool.NUMBER, number)
                                .put(ComparedTool.MILLIS, work.toMillis()).put(ComparedTool.TEXT, text()),
                        instance(key))
                .inStep(ComparedTool.AGENT, turn(key), stepId(key), 0).forCaller(USER, CHANNEL));
    }

    private String text() {
        return WORDS.repeat(textBytes / WORDS.length() + 1).substring(0, textBytes);
    }

    private static String turn(int key) {
        return instance(key) + "-turn-0";
    }
}
