package dev.toolfleet.cli.demo;

import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import tools.jackson.databind.node.ObjectNode;

/// Job of the demo's agent: one call finishes later, another agent answers one, a person approves one, two go wrong as
/// calls of models do, one comes over HTTP, and one over MCP for a tool of an MCP server.
final class DemoScenario {
    /// The agent of the demo's bundle.
    static final String AGENT = "coder";
    /// The demo's conversation.
    static final String INSTANCE = "demo";
    /// The conversation of the script, which is no part of the agent's.
    static final String SCRIPT = "demo-script";

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
    /// @param thought what its model wants
    /// @param expected what the call's first result is when all is well; a pending one ends well too
    /// @param sequel how a pending call ends
    record DemoStep(String thought, ToolCall call, ResultStatus expected, Sequel sequel) {
        private DemoStep ending(String what, boolean isAwaited) {
            return new DemoStep(thought, call, expected, new Sequel(what, isAwaited, false));
        }

        private DemoStep approved(String what) {
            return new DemoStep(thought, call, expected, new Sequel(what, true, true));
        }
    }

    /// End of a pending call.
    ///
    /// @param what happens, for people
    /// @param isAwaited whether the agent waits for it before it goes on
    /// @param isApproved whether a person has to say yes first
    record Sequel(String what, boolean isAwaited, boolean isApproved) {
        /// Sequel of a call that is not pending.
        static final Sequel NONE = new Sequel("", false, false);
    }

    /// The steps.
    ///
    /// @param javaHome of the JDK that compiles
    static List<DemoStep> steps(String javaHome) {
        return List.of(
                step(1, "The model writes a small Java program.", "file-system__write",
                        args("path", "Primes.java", "content", PROGRAM), ResultStatus.OK),
                step(2, "It compiles the program.", "bash__exec",
                        args("command", "\"$JAVA_HOME\"/bin/javac -d out Primes.java && ls out", "env", jdk(javaHome)),
                        ResultStatus.OK),
                step(3, "It runs the program.", "bash__exec",
                        args("command", "\"$JAVA_HOME\"/bin/java -cp out Primes 12", "env", jdk(javaHome)),
                        ResultStatus.OK),
                step(4, "It starts a build, which goes on in a process of its own. No call waits for it.",
                        "build__start", args("branch", "main"), ResultStatus.PENDING)
                        .ending("The build says how far it is, and completes the call by its handle.", false),
                step(5, "It reads a file that does not exist. The error tells the model what to do.",
                        "file-system__read", args("path", "NOTES.md"), ResultStatus.ERROR),
                step(6, "It calls a tool that its catalog does not hold. Nothing runs.", "deploy__production",
                        args("version", "1.0"), ResultStatus.ERROR),
                step(7, "It hands its program to another agent, which runs elsewhere. No thread waits.",
                        "agents__request", args("target", DemoReviewer.AGENT, "input", PROGRAM), ResultStatus.PENDING)
                        .ending("The reviewer answers, and its answer completes the call.", true),
                step(8, "It wants a folder for the release. A rule of the bundle has a person asked first.",
                        "file-system__mkdir", args("path", "release"), ResultStatus.PENDING)
                        .approved("A person approves, for this call with these arguments. Only now it runs."));
    }

    /// The step whose call is left to the person who watches.
    static DemoStep leftOpen() {
        return step(11, "It wants a folder for the next release, and a person is asked again.", "file-system__mkdir",
                args("path", "next-release"), ResultStatus.PENDING);
    }

    /// Thought of the step of an MCP client.
    static final String OVER_MCP = "An MCP client calls a tool of an MCP server, through the fleet and its policy.";

    /// Arguments of the call in that step.
    static ObjectNode mcpArguments() {
        return args("what", "release");
    }

    /// The step of a caller without Kafka, whose call is sent twice. Its output counts the runs.
    static DemoStep overHttp() {
        return step(9, "A script without Kafka calls over HTTP, twice with one key. The tool runs once.",
                "bash__exec", args("command", "echo ran >> runs.txt && wc -l < runs.txt"), ResultStatus.OK);
    }

    private static ObjectNode jdk(String javaHome) {
        return args("JAVA_HOME", javaHome);
    }

    private static ObjectNode args(String name, String value) {
        return Json.MAPPER.createObjectNode().put(name, value);
    }

    private static ObjectNode args(String name, String value, String name2, String value2) {
        return args(name, value).put(name2, value2);
    }

    private static ObjectNode args(String name, String value, String name2, ObjectNode value2) {
        ObjectNode args = args(name, value);
        args.set(name2, value2);
        return args;
    }

    private static DemoStep step(int number, String thought, String tool, ObjectNode args, ResultStatus expected) {
        ToolCall call = ToolCall.of("call_" + number, tool, args, INSTANCE).inStep(AGENT,
                "turn-1", "step-" + number, number);
        return new DemoStep(thought, call, expected, Sequel.NONE);
    }
}
