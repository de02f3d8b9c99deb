package dev.toolfleet.error;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/// A failure as logs may have it: what it is and where it came from, without its messages. Messages of tools, parsers and
/// drivers quote what they were given, and logs never hold payloads.
public final class Unquoted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Unquoted(Throwable failure, @Nullable Unquoted cause) {
        super(failure.getClass().getName(), cause, false, true);
        setStackTrace(stack(failure));
    }

    /// The failure and its causes, each by its class and its stack.
    public static Unquoted of(Throwable failure) {
        return of(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static Unquoted of(Throwable failure, Set<Throwable> seen) {
        seen.add(failure);
        Throwable cause = cause(failure);
        return new Unquoted(failure, cause == null || seen.contains(cause) ? null : of(cause, seen));
    }

    /// Foreign code may have overridden it, and whoever logs a failure must not fail by it.
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

    /// The failure in few words: its class, that of what caused it, and where it was thrown.
    public static String name(Throwable failure) {
        Throwable cause = cause(failure);
        StackTraceElement[] stack = stack(failure);
        return failure.getClass().getName() + (cause == null ? "" : " by " + cause.getClass().getName())
                + (stack.length == 0 ? "" : " at " + stack[0]);
    }
}
