package dev.toolfleet.embedded.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The child's end of a [ChildJvm]: its standard output says that it is ready, and nothing else; its standard input ends
/// when the parent does, and then this JVM exits too, running its shutdown hooks.
public final class ParentLink {

    private final PrintStream parent;

    private ParentLink(PrintStream parent) {
        this.parent = parent;
    }

    /// Takes over standard input and output; whatever prints to `System.out` from now on goes to standard error. To be
    /// called first in `main`, before a logging system has looked.
    public static ParentLink open() {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Thread.ofPlatform().daemon().name("parent-link").start(ParentLink::awaitParentsEnd);
        return new ParentLink(parent);
    }

    private static void awaitParentsEnd() {
        try {
            while (System.in.read() >= 0) {
                // The parent has nothing to say.
            }
        } catch (IOException e) {
            // As good as the end.
        }
        System.exit(0);
    }

    /// Tells [ChildJvm#awaitReady]. To be called once.
    ///
    /// @param line without line breaks
    public void ready(String line) {
        parent.println(line);
    }
}
