package dev.toolfleet.cli.letter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.client.letter.Letter;
import dev.toolfleet.client.letter.Origin;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.DecodedCompletion;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Judge of dead letters: predicts the fate of a letter that is sent again. Pure.
final class LetterJudge {
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);
    private static final WireCodec<StepEvent> STEPS = WireCodec.of(StepEvent.class);
    /// Reasons that the record itself gives, independent of the handle.
    private static final Set<String> ITS_OWN_FAULT = Set.of("wrong-token", "wrong-kind", "wrong-instance", "hidden",
            "nameless", "requester", "counted");

    private final Topics names;

    LetterJudge(Topics names) {
        this.names = names;
    }

    Judgement of(Letter letter, ConsumerRecord<byte[], byte[]> record) {
        Optional<Topic> topic = letter.origin().flatMap(this::topic);
        if (letter.origin().isEmpty())
            return Judgement.never("it does not say where it comes from");
        if (topic.isEmpty())
            return Judgement
                    .never("it comes from " + letter.origin().get().topic() + ", which is no topic of this fleet");
        if (letter.isCut())
            return Judgement.never("it holds only the beginning of a record that was too large");
        return switch (topic.get()) {
            case CALL -> call(record);
            case STEP -> step(record);
            case COMPLETION -> completion(letter, record);
            case DECISION -> decision(letter, record);
            case CONTROL -> cancel(letter, record);
            default -> Judgement.never("only the fleet writes " + letter.origin().get().topic()
                    + ", and what it wrote there has been overtaken");
        };
    }

    /// The fleet's topic of that name.
    Optional<Topic> topic(Origin origin) {
        return Arrays.stream(Topic.values()).filter(topic -> names.name(topic).equals(origin.topic())).findFirst();
    }

    private static Judgement call(ConsumerRecord<byte[], byte[]> record) {
        String key = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
        return switch (CallDecoder.decode(key, record.value())) {
            case DecodedCall.Malformed malformed -> Judgement.stillBad(malformed.reason());
            case DecodedCall.Valid(ToolCall call) when !CallIdentity.isNamed(call) ->
                new Judgement.Possible(
                        "it names no turn or no step, and has no idempotencyKey, so that it is a call of its own each time it is"
                                + " sent");
            case DecodedCall.Valid _ -> new Judgement.Possible("its caller may have been told E_CALL_MALFORMED");
        };
    }

    private static Judgement step(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return Judgement.stillBad("the record has no value");
        try {
            STEPS.read(record.value());
            return new Judgement.Possible("it becomes the newest step of its agent");
        } catch (WireFormatException e) {
            return Judgement.stillBad(String.valueOf(e.getMessage()));
        }
    }

    private static Judgement completion(Letter letter, ConsumerRecord<byte[], byte[]> record) {
        return switch (CompletionDecoder.decode(record.value())) {
            case DecodedCompletion.Malformed malformed -> Judgement.stillBad(malformed.reason());
            case DecodedCompletion.Valid valid -> handle(letter, valid.completion().handle());
        };
    }

    private static Judgement decision(Letter letter, ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return Judgement.stillBad("the record has no value");
        try {
            return handle(letter, DECISIONS.read(record.value()).handle());
        } catch (WireFormatException e) {
            return Judgement.stillBad(String.valueOf(e.getMessage()));
        }
    }

    private static Judgement cancel(Letter letter, ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return Judgement.stillBad("the record has no value");
        try {
            CancelCall cancel = CANCELS.read(record.value());
            if (!cancel.namesCalls())
                return Judgement.stillBad("it names neither toolCallId nor stepId nor handle");
            return cancel.handle() == null
                    ? new Judgement.Possible("it also cancels what was called since")
                    : handle(letter, cancel.handle());
        } catch (WireFormatException e) {
            return Judgement.stillBad(String.valueOf(e.getMessage()));
        }
    }

    private static Judgement handle(Letter letter, String handle) {
        return ITS_OWN_FAULT.contains(letter.kind())
                ? Judgement.stillBad(letter.kind() + ", for which the record itself is to blame")
                : new Judgement.IfOpen(handle);
    }

    /// Settles a judgement by the handles that are open.
    static Judgement settled(Judgement judgement, Set<String> open) {
        return switch (judgement) {
            case Judgement.IfOpen(String handle) when open.contains(handle) -> Judgement.FINE;
            case Judgement.IfOpen(String handle) -> Judgement.stillBad("no call waits under handle '" + handle
                    + "': it has ended, or its pending record never came (toolfleet handles " + handle + ")");
            case Judgement.Possible possible -> possible;
            case Judgement.Refused refused -> refused;
        };
    }
}
