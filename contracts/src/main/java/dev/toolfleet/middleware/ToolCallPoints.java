package dev.toolfleet.middleware;

/// The three points of tool specification v0.8 (`toolCall.pre`, `toolCall.exec`, `toolCall.post`) as layers of the one
/// onion, for extensions that were written against it.
public final class ToolCallPoints {
    private ToolCallPoints() {}

    /// `toolCall.pre`: runs before the call and may change its arguments.
    public static ToolCallMiddleware pre(Pre point) {
        return (ctx, next) -> {
            point.before(ctx);
            return next.proceed();
        };
    }

    /// `toolCall.exec`: wraps the call.
    public static ToolCallMiddleware exec(ToolCallMiddleware point) {
        return point;
    }

    /// `toolCall.post`: runs after the call and may replace its reply.
    public static ToolCallMiddleware post(Post point) {
        return (ctx, next) -> point.after(ctx, next.proceed());
    }

    /// Work before a call.
    @FunctionalInterface
    public interface Pre {
        /// Sees the call and may change its arguments.
        void before(ToolCallContext ctx) throws Exception;
    }

    /// Work after a call.
    @FunctionalInterface
    public interface Post {
        /// Sees the reply and returns the one that counts.
        ToolReply after(ToolCallContext ctx, ToolReply reply) throws Exception;
    }
}
