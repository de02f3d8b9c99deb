package dev.toolfleet.worker.tools.args;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// File or folder of Linux that is held without being opened (`O_PATH` of open(2)): nothing waits for a pipe's other
/// end, and [#path] stays this very one whatever takes its name. For one thread.
final class HeldPlace implements Closeable {
    private static final int HERE = -100;
    private static final int O_PATH = 0x20_0000;
    private static final int O_CLOEXEC = 0x8_0000;

    private final int descriptor;

    private HeldPlace(int descriptor) {
        this.descriptor = descriptor;
    }

    /// The system's functions, where they are known.
    private static final class Native {
        private static final boolean KNOWN = System.getProperty("os.name").equals("Linux")
                && (isArm() || System.getProperty("os.arch").equals("amd64"));
        private static final int O_NOFOLLOW = isArm() ? 0x8000 : 0x2_0000;
        private static final Charset NAMES = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final MethodHandle OPENAT = linked("openat",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(3), Linker.Option.captureCallState("errno"));
        private static final MethodHandle CLOSE = linked("close",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        private Native() {}

        private static boolean isArm() {
            return System.getProperty("os.arch").equals("aarch64");
        }

        @SuppressWarnings("restricted") // Signatures of open(2) and close(2).
        private static MethodHandle linked(String name, FunctionDescriptor signature, Linker.Option... options) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
        }
    }

    /// True if this system has such places.
    static boolean possible() {
        return Native.KNOWN;
    }

    /// A place by its path, links followed.
    static HeldPlace at(Path path) throws IOException {
        return new HeldPlace(open(HERE, path, O_PATH | O_CLOEXEC));
    }

    /// An entry of this folder; of a link, the link.
    HeldPlace entry(Path name) throws IOException {
        return new HeldPlace(open(descriptor, name, O_PATH | O_CLOEXEC | Native.O_NOFOLLOW));
    }

    /// A path that leads to just this file or folder while it is held.
    Path path() {
        return Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    @Override
    public void close() {
        try {
            int _ = (int) Native.CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static int open(int folder, Path path, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Native.STATE);
            int opened = opened(state, folder, arena.allocateFrom(path.toString(), Native.NAMES), flags);
            if (opened < 0)
                throw failure((int) Native.ERRNO.get(state, 0L), path);
            return opened;
        }
    }

    private static int opened(MemorySegment state, int folder, MemorySegment path, int flags) {
        try {
            return (int) Native.OPENAT.invokeExact(state, folder, path, flags);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// As the JDK reports the errors of open(2).
    private static IOException failure(int error, Path path) {
        String file = path.toString();
        return switch (error) {
            case 2 -> new NoSuchFileException(file);
            case 13 -> new AccessDeniedException(file);
            case 20 -> new FileSystemException(file, null, "Not a directory");
            case 36 -> new FileSystemException(file, null, "File name too long");
            case 40 -> new FileSystemException(file, null, "Too many levels of symbolic links");
            default -> new FileSystemException(file, null, "error " + error + " of open(2)");
        };
    }
}
