package dev.toolfleet.error;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/// Failure in a form for logs: its class and its stack, without its messages.
///
/// **Why.** Messages of tools, parsers and drivers quote their input, and logs never hold payloads.
public final class Unquoted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Unquoted(Throwable failure, @Nullable Unquoted cause) {
        super(failure.getClass().getName(), cause, false, true);
        setStackTrace(stack(failure));
    }

    /// Returns the failure and its causes, each by its class and its stack.
    public static Unquoted of(Throwable failure) {
        return of(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static Unquoted of(Throwable failure, Set<Throwable> seen) {
        seen.add(failure);
        Throwable cause = cause(failure);
        return new Unquoted(failure, cause == null || seen.contains(cause) ? null : of(cause, seen));
    }

    /// Returns the cause. Foreign code may have overridden the method, and logging a failure must not fail because of
    /// it.
    private static @Nullable Throwable cause(Throwable failure) {
        try {
            return failure.getCause();
        } catch (RuntimeException | Error e) {
            return null;
        }
    }

    private static StackTraceElement[] stack(Throwable failure) {
        try {
            return failure.getStackTrace();
        } catch (RuntimeException | Error e) {
            return new StackTraceElement[0];
        }
    }

    /// Returns the failure in few words: its class, that of its cause, and the place of the throw.
    public static String name(Throwable failure) {
        Throwable cause = cause(failure);
        StackTraceElement[] stack = stack(failure);
        return failure.getClass().getName() + (cause == null ? "" : " by " + cause.getClass().getName())
                + (stack.length == 0 ? "" : " at " + stack[0]);
    }
}
