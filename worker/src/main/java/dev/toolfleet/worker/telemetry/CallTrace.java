package dev.toolfleet.worker.telemetry;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.ResultStatus;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/// What is traced of one call. Used by the threads that decide the call's fate, one after the other.
public sealed interface CallTrace permits CallTrace.Off, CallSpan {
    /// Nothing.
    CallTrace OFF = new Off();

    /// The context of what derives from the call.
    ///
    /// @param incoming what came with the call's record
    @Nullable
    TraceContext context(@Nullable TraceContext incoming);

    /// Which span it is; null for none.
    @Nullable
    String spanId();

    /// Makes the call's span the current one of this thread.
    Scope current();

    /// Something happened on the call's way.
    void passed(String point);

    /// The handler starts, on this thread, until what is returned is closed.
    Handler handler(int attempt);

    /// What is published of the call; the last word before [#ended] counts.
    ///
    /// @param code of its error; null for none
    void answers(ResultStatus status, @Nullable String code);

    /// The call has its fate. Only the first counts.
    void ended();

    /// One start of a call's handler.
    interface Handler extends AutoCloseable {
        /// Which span it is; null for none.
        @Nullable
        String spanId();

        /// How it ended.
        void replied(ToolReply reply);

        @Override
        void close();
    }

    /// Makes nothing, and so costs nothing.
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
