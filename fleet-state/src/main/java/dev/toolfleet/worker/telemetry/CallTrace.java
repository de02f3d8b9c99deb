package dev.toolfleet.worker.telemetry;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.ResultStatus;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/// Trace of one call. Used by the threads that decide the call's fate, one after the other.
public sealed interface CallTrace permits CallTrace.Off, CallSpan {
    /// Traces nothing.
    CallTrace OFF = new Off();

    /// Returns the context for records derived from the call.
    ///
    /// @param incoming the context of the call's record
    @Nullable
    TraceContext context(@Nullable TraceContext incoming);

    /// Returns the id of the span; null for none.
    @Nullable
    String spanId();

    /// Makes the call's span the current one of this thread.
    Scope current();

    /// Adds an event to the call's span.
    void passed(String point);

    /// Begins the span of a handler, on this thread, until the returned object is closed.
    Handler handler(int attempt);

    /// Notes the published status of the call; the last call before [#ended] counts.
    ///
    /// @param code of its error; null for none
    void answers(ResultStatus status, @Nullable String code);

    /// Ends the call's span. Only the first call counts.
    void ended();

    /// One start of a call's handler.
    interface Handler extends AutoCloseable {
        /// Returns the id of the span; null for none.
        @Nullable
        String spanId();

        /// Notes the handler's reply.
        void replied(ToolReply reply);

        @Override
        void close();
    }

    /// Trace that makes no spans, and so costs nothing.
    final class Off implements CallTrace, Handler {
        private Off() {}

        @Override
        public @Nullable TraceContext context(@Nullable TraceContext incoming) {
            return incoming;
        }

        @Override
        public @Nullable String spanId() {
            return null;
        }

        @Override
        public Scope current() {
            return Scope.noop();
        }

        @Override
        public void passed(String point) {}

        @Override
        public Handler handler(int attempt) {
            return this;
        }

        @Override
        public void replied(ToolReply reply) {}

        @Override
        public void answers(ResultStatus status, @Nullable String code) {}

        @Override
        public void ended() {}

        @Override
        public void close() {}
    }
}
