package dev.toolfleet.worker.override;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.CallCourse;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.execute.AbandonedHandlers;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch over what lies around a handler and has no end of its own: middlewares, the wait for a catalog, the check of the
/// arguments, the result guard (decision 51). A call is ended there with `E_TOOL_TIMEOUT`
///
/// - on its way in, at the caller's deadline; where that had passed before, after a grace;
/// - on its way out, at the caller's deadline, but not before a grace after its handler;
/// - without a deadline of the caller's, when one of the two ways took longer than `limit`.
///
/// A call that is held by what has its own end ([CallCourse]) is looked at again later. So a handler that is timed out and
/// a layer that hangs behind it are both seen, and never at once: the call's thread lets go before the watch gives up.
/// A thread that goes on after its call was ended counts as abandoned, like a handler that ignores its interrupt.
///
/// @param limit for each of the two ways
/// @param grace how long a call may be between its deadline and its result
record DeadlineWatch(DeadlineLoop deadlines, AbandonedHandlers stubborn, InstantSource clock, Duration limit,
        Duration grace) implements CallWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineWatch.class);

    @Override
    public Watched begins(Identified run, LaneOverride.End end) {
        One one = new One(run, end);
        one.arm(one.due(clock.millis()));
        return one;
    }

    private final class One implements Watched {
        private final Identified run;
        private final LaneOverride.End end;
        private final long began;
        private final AtomicReference<DeadlineLoop.@Nullable Alarm> alarm = new AtomicReference<>();
        private boolean over;
        private boolean abandoned;

        One(Identified run, LaneOverride.End end) {
            this.run = run;
            this.end = end;
            this.began = clock.millis();
        }

        private ToolCall call() {
            return run.call().arrival().call();
        }

        private synchronized void arm(long at) {
            if (!over)
                alarm.set(deadlines.after(Duration.ofMillis(Math.max(1, at - clock.millis())), this::look));
        }

        /// The time to end the call, or to look at it again, in epoch milliseconds.
        private long due(long now) {
            Instant deadline = call().deadline();
            long free = run.course().freeSince();
            if (free < 0)
                return deadline == null
                        ? now + limit.toMillis()
                        : Math.max(deadline.toEpochMilli(), now + grace.toMillis());
            long last = free + limit.toMillis();
            if (deadline == null)
                return last;
            long by = deadline.toEpochMilli();
            boolean intime = by > free && !run.course().hasStarted();
            return Math.min(last, intime ? by : Math.max(by, free + grace.toMillis()));
        }

        private void look() {
            if (end.isDecided())
                return;
            long now = clock.millis();
            long due = due(now);
            CallCourse.GivenUp given = due > now ? null : run.course().giveUp();
            if (given == null) {
                arm(Math.max(due, now + 1));
                return;
            }
            LOG.atWarn().addKeyValue(LogKeys.CALL_ID, call().id()).addKeyValue(LogKeys.TOOL, call().name())
                    .addKeyValue(LogKeys.REASON, run.course().stage().text())
                    .log("call overran its deadline outside of its handler, its lane goes on without it");
            end.with(new ToolReply.Failed(given.started() ? after() : before()));
            run.course().interrupt();
            var _ = deadlines.after(grace, this::abandon);
        }

        private ToolError before() {
            String where = run.course().stage() == CallCourse.Stage.CATALOG
                    ? "while its catalog, its policy and its arguments were checked"
                    : "in the middlewares before its handler";
            return ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "The call was not started: " + late() + " " + where + ".")
                    .suggesting("The call did not happen. Call again with a later deadline, or tell the user that it"
                            + " takes too long.");
        }

        private ToolError after() {
            return ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "The call had come back from its tool, and " + late()
                    + " in the middlewares and the result guard behind it.");
        }

        private String late() {
            Instant deadline = call().deadline();
            return deadline == null
                    ? "it stayed for longer than " + limit.toMillis() + " ms"
                    : "its deadline " + deadline + " passed";
        }

        private synchronized void abandon() {
            if (over)
                return;
            abandoned = true;
            stubborn.abandoned(call(), Duration.ofMillis(clock.millis() - began));
        }

        @Override
        public synchronized void over() {
            over = true;
            DeadlineLoop.Alarm set = alarm.getAndSet(null);
            if (set != null)
                set.cancel();
            if (abandoned)
                stubborn.ended(call(), Duration.ofMillis(clock.millis() - began));
        }
    }
}
