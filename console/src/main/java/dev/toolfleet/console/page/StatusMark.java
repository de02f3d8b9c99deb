package dev.toolfleet.console.page;

import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.wire.ResultStatus;
import org.jspecify.annotations.Nullable;

/// Mark of a state: a sign and a word, so that its colour is not needed.
///
/// @param kind class of its style
/// @param sign one character
record StatusMark(String kind, String sign, String text) {
    static final StatusMark OK = new StatusMark("ok", "✓", "ok");

    static StatusMark of(CallSummary call) {
        return of(call.stage(), call.status(), call.code());
    }

    /// Returns the mark of a call.
    ///
    /// @param status of its result; null before its end
    /// @param code of its error
    static StatusMark of(CallStage stage, @Nullable ResultStatus status, @Nullable String code) {
        return switch (stage) {
            case ACCEPTED -> new StatusMark("idle", "○", "accepted");
            case RUNNING -> new StatusMark("run", "▶", "running");
            case PENDING -> new StatusMark("wait", "◷", "waits for work");
            case APPROVAL -> new StatusMark("ask", "?", "waits for approval");
            case RESUMED -> new StatusMark("run", "↻", "resumed");
            case ENDED -> status == ResultStatus.ERROR ? bad(code == null ? "error" : code) : OK;
        };
    }

    static StatusMark bad(String text) {
        return new StatusMark("bad", "✕", text);
    }

    static StatusMark good(String text) {
        return new StatusMark("ok", "✓", text);
    }

    static StatusMark waits(String text) {
        return new StatusMark("wait", "◷", text);
    }
}
