package dev.toolfleet.cli.explain;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.cli.explain.CallSnapshot.LiveCall;
import dev.toolfleet.cli.table.DurationText;

/// Words for the stages of a call in a worker. Pure. A stage of a later version is shown as it is.
final class StageText {
    private StageText() {}

    static String text(LiveCall live, Instant now) {
        String doing = switch (live.stage()) {
            case LiveCall.QUEUED -> "is queued";
            case "checking" -> "is checked: whether it ran before, or runs still on the worker that had its partition";
            case "layers" -> "is inside a middleware (" + live.tool() + ")";
            case "catalog" -> "waits for its step's catalog (" + live.tool() + ")";
            case "slot" -> "waits for a slot of the tool's limit (" + live.tool() + ")";
            case "noting" -> "is about to start, and its start is being noted (" + live.tool() + ")";
            case "running" -> "runs " + live.tool() + (live.host() == null ? "" : " in " + live.host());
            case "backoff" -> "waits before its next try (" + live.tool() + ")";
            default -> "is in stage '" + live.stage() + "' (" + live.tool() + ")";
        };
        Instant since = live.since();
        return doing + (since == null ? "" : " since " + DurationText.coarse(Duration.between(since, now)))
                + (live.attempt() > 1 ? ", start number " + live.attempt() : "");
    }
}
