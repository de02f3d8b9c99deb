package dev.toolfleet.worker.sandbox;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Gives the calling thread, and the processes that it starts from then on, a session keyring of its own (keyctl(2)).
/// Otherwise: the worker has one from its login, all commands inherit it, and one instance reads the keys that another
/// one added.
final class SessionKeyring {
    private static final int JOIN_SESSION_KEYRING = 1;

    private SessionKeyring() {}

    private static final class Native {
        private static final long NUMBER = switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> 250;
            case "aarch64", "arm64" -> 219;
            default -> -1;
        };
        private static final Optional<MethodHandle> SYSCALL = NUMBER > 0
                && System.getProperty("os.name").equals("Linux") ? linked() : Optional.empty();

        private Native() {}

        @SuppressWarnings("restricted") // The call takes no memory of the JVM's.
        private static Optional<MethodHandle> linked() {
            Linker linker = Linker.nativeLinker();
            return linker.defaultLookup().find("syscall").map(address -> linker.downcallHandle(address,
                    FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                            ValueLayout.ADDRESS),
                    Linker.Option.firstVariadicArg(1)));
        }
    }

    /// Leaves the present keyring. Does nothing where the system has no keys, or forbids their use.
    ///
    /// @return whether there is a new one
    static boolean renew() {
        if (Native.SYSCALL.isEmpty())
            return false;
        try {
            return (long) Native.SYSCALL.get().invokeExact(Native.NUMBER, (long) JOIN_SESSION_KEYRING,
                    MemorySegment.NULL) >= 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
