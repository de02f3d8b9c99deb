package dev.toolfleet.worker.call;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.call.CallFacts.Judged;
import dev.toolfleet.worker.call.CallFacts.Ruled;
import dev.toolfleet.worker.call.CallFacts.Started;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.CallTrace;

/// Calls at a stage of their way.
public final class TestCalls {
    private TestCalls() {}

    /// A call that was approved.
    public static Identified granted(Arrival.Granted granted, long startedAt) {
        CallOrigin origin = granted.resumed().origin();
        IdentifiedCall call = IdentifiedCall.of(granted.call(), origin == null ? null : origin.fingerprint());
        return Identified.begun(call, granted.position(), startedAt, call.arrival().position().offset(),
                granted.grant(), origin == null ? 1 : origin.attempt(), CallTrace.OFF);
    }

    /// A call that no partition remembers, without a catalog.
    public static Judged judged(Identified call) {
        return judged(call.recalledBy(null));
    }

    /// A call without a catalog.
    public static Judged judged(Recalled call) {
        return call.reached(new Judged(call, null, null, null, ErrorText.DEFAULT_LIMIT));
    }

    /// A call that policy allows.
    public static Ruled allowed(Recalled call) {
        return call.reached(new Ruled(judged(call), new Ruling.Allowed(Ruling.Basis.NONE)));
    }

    /// A call that policy allows, with its tool.
    public static Ruled allowed(Identified call, RegisteredTool tool, ToolRef ref) {
        return call.reached(allowed(call.recalledBy(null)).of(tool, ref));
    }

    /// The first start of a call's handler, or the one that it was set to.
    public static Started started(Recalled call) {
        return call.reached(new Started(allowed(call), call.attempt()));
    }
}
