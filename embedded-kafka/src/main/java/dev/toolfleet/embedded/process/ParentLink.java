package dev.toolfleet.embedded.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The child's end of a [ChildJvm]. Its standard output carries only the line that it is ready. Its standard input ends
/// when the parent does; then this JVM exits, and its shutdown hooks run.
public final class ParentLink {

    private final PrintStream parent;

    private ParentLink(PrintStream parent) {
        this.parent = parent;
    }

    /// Takes over standard input and output; later output to `System.out` goes to standard error. Call it first in
    /// `main`, before a logging system opens the stream.
    public static ParentLink open() {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Thread.ofPlatform().daemon().name("parent-link").start(ParentLink::awaitParentsEnd);
        return new ParentLink(parent);
    }

    private static void awaitParentsEnd() {
        try {
            while (System.in.read() >= 0) {
                // The parent sends nothing.
            }
        } catch (IOException e) {
            // A failing input means the same as its end.
        }
        System.exit(0);
    }

    /// Reports to [ChildJvm#awaitReady]. Call it once.
    ///
    /// @param line without line breaks
    public void ready(String line) {
        parent.println(line);
    }
}
