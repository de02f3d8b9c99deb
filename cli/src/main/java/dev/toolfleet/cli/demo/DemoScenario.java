package dev.toolfleet.cli.demo;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;

/// What the demo's agent does: a small real job, with two calls that go wrong
/// as calls of models do.
final class DemoScenario {
    /// The agent of the demo's bundle.
    static final String AGENT = "coder";
    /// The demo's conversation.
    static final String INSTANCE = "demo";

    private static final String PROGRAM = """
            public class Primes {
                public static void main(String[] args) {
                    int wanted = Integer.parseInt(args[0]);
                    for (int n = 2; wanted > 0; n++) {
                        int candidate = n;
                        if (java.util.stream.IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> candidate % d == 0)) {
                            System.out.print(n + " ");
                            wanted--;
                        }
                    }
                    System.out.println();
                }
            }
            """;

    private DemoScenario() {}

    /// One step of the agent.
    ///
    /// @param thought
    ///            what its model wants
    /// @param expected
    ///            how the call ends when all is well
    record DemoStep(String thought, ToolCall call, ResultStatus expected) {}

    /// The steps.
    ///
    /// @param javaHome
    ///            of the JDK that compiles
    static List<DemoStep> steps(String javaHome) {
        Map<String, String> jdk = Map.of("JAVA_HOME", javaHome);
        return List.of(
                step(1, "The model writes a small Java program.", "file-system__write",
                        Map.of("path", "Primes.java", "content", PROGRAM), ResultStatus.OK),
                step(2, "It compiles the program.", "bash__exec",
                        Map.of("command", "\"$JAVA_HOME/bin/javac\" -d out Primes.java && ls out", "env", jdk),
                        ResultStatus.OK),
                step(3, "It runs the program.", "bash__exec",
                        Map.of("command", "\"$JAVA_HOME/bin/java\" -cp out Primes 12", "env", jdk), ResultStatus.OK),
                step(4, "It reads a file that does not exist. The error tells the model what to do.",
                        "file-system__read", Map.of("path", "NOTES.md"), ResultStatus.ERROR),
                step(5, "It calls a tool that its catalog does not hold. Nothing runs.", "deploy__production",
                        Map.of("version", "1.0"), ResultStatus.ERROR));
    }

    private static DemoStep step(int number, String thought, String tool, Map<String, ?> args, ResultStatus expected) {
        ToolCall call = ToolCall.of("call_" + number, tool, Json.MAPPER.valueToTree(args), INSTANCE).inStep(AGENT,
                "turn-1", "step-" + number, number);
        return new DemoStep(thought, call, expected);
    }
}
