package dev.toolfleet.worker.mutations;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;

import dev.toolfleet.worker.simulation.WorldSearch;

/// Process that looks for a bug in the classes that it was started with: first by unit tests, which takes seconds, then in
/// simulated worlds. Its last line is the answer.
final class MutationTrial {
    static final String ANSWER = "ANSWER ";

    private MutationTrial() {}

    /// Tries one mutation.
    ///
    /// @param args the number of worlds, then full names of unit tests
    public static void main(String[] args) {
        List<String> tests = Arrays.asList(args).subList(1, args.length);
        String found = null;
        for (int i = 0; found == null && i < tests.size(); i++) {
            if (fails(tests.get(i)))
                found = tests.get(i).substring(tests.get(i).lastIndexOf('.') + 1);
        }
        if (found == null)
            found = WorldSearch.firstViolation(Integer.parseInt(args[0]));
        // A test engine may have left a line without its end.
        System.out.println("\n" + ANSWER + (found == null ? "" : found));
        // Fibers of a world that did not end may be left.
        System.exit(0);
    }

    private static boolean fails(String test) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        int exit = ToolProvider.findFirst("junit").orElseThrow().run(printed, printed, "execute", "--disable-banner",
                "--details=none", "--fail-if-no-tests", "--select-class=" + test);
        if (exit > 1)
            throw new IllegalStateException(test + " could not be run:\n" + out.toString(StandardCharsets.UTF_8));
        return exit == 1;
    }
}
