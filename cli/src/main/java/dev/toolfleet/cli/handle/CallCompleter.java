package dev.toolfleet.cli.handle;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.fleet.ProgressNote;
import dev.toolfleet.cli.fleet.RemoteFleet;
import dev.toolfleet.cli.handle.ResultWatch.CallPlace;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.client.Completions;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Digests;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// `toolfleet complete` and `toolfleet progress`: sends by hand the completions of long-running work, and reports the
/// outcome. A completion that the fleet would not believe is not sent.
public final class CallCompleter {

    private final RemoteFleet fleet;
    private final Terminal terminal;

    /// Completes calls of this fleet.
    public CallCompleter(RemoteFleet fleet) {
        this.fleet = fleet;
        this.terminal = fleet.terminal();
    }

    /// Sends it.
    ///
    /// @param patience how long to wait for the final result
    /// @return 0 when the call ended, or works on, or is not known yet; 1 when its result did not come
    public int send(Completion completion, Duration patience) throws InterruptedException {
        String problem = CompletionDecoder.problem(completion);
        if (problem != null)
            throw Failure.invalid("this cannot be sent: " + problem);
        return switch (HandleViewer.read(fleet, completion.handle())) {
            case HandleState.Unknown _ -> early(completion);
            case HandleState.Ended ended -> throw Failure.failed("handle '" + ended.handle() + "' has ended "
                    + fleet.view().age(ended.endedAt()) + " ago"
                    + ended.result().map(result -> " (" + HandleText.status(result) + ")").orElse("")
                    + "; nothing was sent, since the first that ends a call wins");
            case HandleState.Open open -> {
                check(open.call(), completion.token());
                yield completion.kind() == Completion.Kind.PROGRESS
                        ? progress(completion, open.call())
                        : end(completion, open.call(), patience);
            }
        };
    }

    private int early(Completion completion) throws InterruptedException {
        write(completion);
        terminal.note("toolfleet: no call is pending under handle '" + completion.handle() + "' yet; what was sent"
                + " waits an hour for it and then becomes a dead letter");
        return Failure.SUCCESS;
    }

    private static void check(PendingCall call, @Nullable String token) {
        if (call.kind() == PendingCall.Kind.APPROVAL) {
            throw Failure
                    .invalid("handle '" + call.handle() + "' waits for a person's decision, which no completion can"
                            + " replace: toolfleet approve or reject " + call.handle());
        }
        if (call.kind() == PendingCall.Kind.AUTHORIZATION)
            throw Failure.invalid("handle '" + call.handle() + "' waits until a person has authorized the tool, by the"
                    + " link of its output: toolfleet handles " + call.handle());
        if (call.kind() == PendingCall.Kind.UNKNOWN) {
            throw Failure
                    .failed("handle '" + call.handle() + "' is of a kind that this version does not know; complete it"
                            + " with the toolfleet of the version that wrote it, or end it with toolfleet cancel "
                            + call.handle());
        }
        String hash = call.tokenHash();
        if (hash == null)
            return;
        if (token == null)
            throw Failure.invalid("handle '" + call.handle() + "' demands a token; give it with --token");
        if (!MessageDigest.isEqual(hash.getBytes(StandardCharsets.UTF_8),
                Digests.sha256(token).getBytes(StandardCharsets.UTF_8))) {
            throw Failure.invalid("--token is not the one that handle '" + call.handle() + "' demands; nothing was"
                    + " sent");
        }
    }

    private int progress(Completion completion, PendingCall call) throws InterruptedException {
        write(completion);
        terminal.print("progress of " + HandleText.call(call.call()) + " was sent");
        return Failure.SUCCESS;
    }

    private int end(Completion completion, PendingCall call, Duration patience) throws InterruptedException {
        CallPlace place = new CallPlace(call.partition(), call.callOffset());
        Map<CallPlace, ToolResult> results;
        try (ProgressNote progress = fleet.progress();
                TopicScan scan = fleet.scan()) {
            ResultWatch watch = new ResultWatch(scan, fleet.name(Topic.RESULT), List.of(place));
            write(completion);
            progress.doing("waiting for the final result");
            results = watch.await(patience);
        }
        ToolResult result = results.get(place);
        if (result == null) {
            throw Failure.failed("the completion of " + HandleText.call(call.call())
                    + " was sent, but its final result did not come within " + DurationText.text(patience)
                    + "; look whether a worker runs, then at toolfleet handles " + call.handle());
        }
        terminal.print(HandleText.call(call.call()) + " ended: "
                + HandleText.outcome(result, terminal.width()));
        return Failure.SUCCESS;
    }

    private void write(Completion completion) throws InterruptedException {
        try (Completions completions = Completions.open(fleet.client())) {
            RemoteFleet.get(completions.send(completion));
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }
}
