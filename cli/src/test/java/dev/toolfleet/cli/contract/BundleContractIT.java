package dev.toolfleet.cli.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.cli.Main;
import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// `toolfleet test` with handlers that keep the contract, and with one for each way to break it.
class BundleContractIT {
    private static final String CASES = """
            # A comment, and a blank line.

            {"name": "t__add", "args": {"a": 1, "b": 2}, "output": {"sum": 3}}
            {"name": "t__add", "args": {"a": 1}, "fails": "E_TOOL_INVALID_ARGS"}
            {"name": "t__refuse", "args": {}, "fails": "E_FULL"}
            {"name": "t__wait", "args": {}, "slow": true}
            """;
    private static final String PYTHON = """
            from toolfleet_host import ToolError

            def add(ctx, input):
                return {"sum": input["a"] + input["b"]}

            def refuse(ctx, input):
                raise ToolError("E_FULL", "The place is full.")

            def wait(ctx, input):
                ctx.cancelled.wait()

            handlers = {"add": add, "refuse": refuse, "wait": wait}
            """;
    private static final String NODE = """
            import { writeFileSync } from 'node:fs';
            let calls = 0;
            export const handlers = {
              add: (ctx, input) => ({ sum: input.a + input.b }),
              refuse: () => { throw Object.assign(new Error('The place is full.'), { code: 'E_FULL' }); },
              wait: (ctx) => new Promise((resolve, reject) =>
                ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))),
            };
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @ParameterizedTest
    @CsvSource({"./t.mjs", "./t.py", "java:dev.toolfleet.cli.contract.BundleContractIT$GoodTools"})
    void aBundleThatKeepsItsContract(String entry) throws IOException {
        Files.writeString(folder.resolve("t.mjs"), NODE);
        Files.writeString(folder.resolve("t.py"), PYTHON);
        String told = test(entry, CASES, 0);

        assertThat(told).contains("t  " + entry, "add                  1 succeeding, 1 failing",
                "refuse               1 failing", "wait                 1 slow", "other                no cases",
                "1 of 1 Tool kept the contract.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "add: (ctx, input) => { writeFileSync(ctx.workdir + '/x', ''); return { sum: 3 } } | `is declared readOnly, and"
                    + " changed in its workdir: [x (new)]`",
            "add: () => ({ sum: 2 + ++calls }) | is declared idempotent, and a repeated call had another output:"
                    + " {\"sum\":3}, then {\"sum\":4}",
            "add: (ctx, input) => { writeFileSync(ctx.workdir + '/x' + ++calls, ''); return { sum: 3 } } | `is declared"
                    + " idempotent, and a repeated call changed in its workdir: [x2 (new)]`",
            "add: () => ({ sum: '3' }) | the output does not fit `outputSchema`: output.sum",
            "add: () => ({ sum: 4 }) | `the output is {\"sum\":4}, and line 3 says {\"sum\":3}`",
            "refuse: () => { throw new Error('no') } | refuse {}: fails with E_TOOL (no) instead of E_FULL",
            "refuse: () => 'welcome' | refuse {}: should have failed but answered",
            "wait: () => new Promise(() => {}) | wait {}: went on for more than PT1S after it was interrupted",
            "wait: () => 'at once' | wait {}: ended before it could be interrupted"})
    void aHandlerThatBreaksIt(String handler, String violation) throws IOException {
        Files.writeString(folder.resolve("t.mjs"), NODE + "\nObject.assign(handlers, { " + handler + " });\n");
        // The slow case, which is the last, takes seconds.
        String cases = handler.startsWith("wait") ? CASES : CASES.substring(0, CASES.indexOf("{\"name\": \"t__wait\""));
        String told = test("./t.mjs", cases, 1);

        assertThat(told).contains("  - ", violation, "0 of 1 Tool kept the contract.");
    }

    @Test
    void aFunctionThatIgnoresItsCancellation() throws IOException {
        Files.writeString(folder.resolve("t.py"), PYTHON.replace("ctx.cancelled.wait()",
                "import time; time.sleep(5)"));

        assertThat(test("./t.py", CASES, 1))
                .contains("wait {}: went on for more than PT1S after its deadline");
    }

    @Test
    void casesThatCannotBeUsed() throws IOException {
        Files.writeString(folder.resolve("t.py"), PYTHON);
        String told = test("./t.py", """
                {"name": "t__ad", "args": {}}
                {"name": "t__add", "arg": {}}
                {"name": "t__add", "slow": true, "fails": "E_FULL"}
                {"name": "t__add", "args": []}
                [1]
                {
                """, 2);

        assertThat(told).contains(
                "contract.jsonl:1: the bundle has no tool 't__ad' of its own; did you mean 't__add'?",
                "contract.jsonl:2: unknown field 'arg'; did you mean 'args'?",
                "contract.jsonl:3: a case has one of output, fails and slow",
                "contract.jsonl:4: args is no JSON object", "contract.jsonl:5: no JSON object",
                "contract.jsonl:6: not JSON");
        Files.delete(folder.resolve("contract.jsonl"));
        TypedCommands without = TypedCommands.of(100);
        assertThat(without.run("test", folder.toString())).isEqualTo(2);
        assertThat(without.err().toString()).contains("there is no ", "contract.jsonl",
                "{\"name\": \"t__add\", \"args\": {}}");
    }

    @Test
    void aModuleThatCannotBeLoaded() throws IOException {
        Files.writeString(folder.resolve("t.mjs"), "export const handlers = {");
        assertThat(test("./t.mjs", CASES, 1))
                .contains("t.mjs cannot be loaded: t.mjs:2: SyntaxError");
    }

    /// Tests the bundle in a process of its own. Otherwise: threads, processes and open files of other tests count as left
    /// behind.
    ///
    /// @return both outputs
    private String test(String entry, String cases, int exit) throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), """
                apiVersion: toolfleet.dev/v1
                kind: Tool
                metadata: {name: t}
                spec:
                  entry: %s
                  exports:
                    - name: add
                      description: Adds.
                      parameters:
                        type: object
                        properties: {a: {type: integer, description: One.}, b: {type: integer, description: Other.}}
                        required: [a, b]
                      outputSchema: {type: object, properties: {sum: {type: integer}}}
                      validateOutput: true
                      annotations: {readOnly: true, idempotent: true}
                    - {name: refuse, description: Refuses., parameters: {type: object}}
                    - {name: wait, description: Waits., parameters: {type: object}}
                    - {name: other, description: Does nothing., parameters: {type: object}}
                """.formatted(entry));
        Files.writeString(folder.resolve("contract.jsonl"), cases);
        for (String file : new String[]{"t.mjs", "t.py"}) {
            Path script = folder.resolve(file);
            if (Files.exists(script))
                Files.writeString(script, Files.readString(script) + (file.equals("t.py")
                        ? "handlers[\"other\"] = add\n"
                        : "\nif (typeof handlers === 'object') handlers.other = () => null;\n"));
        }
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp",
                System.getProperty("java.class.path"), Main.class.getName(), "test", folder.toString())
                .redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(output).isEqualTo(exit);
        return output;
    }

    /// The same handlers in Java.
    public static final class GoodTools implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("add", (ctx, input) -> ToolOutput.of(
                    Map.of("sum", input.path("a").asInt() + input.path("b").asInt())), "refuse", GoodTools::refuse,
                    "wait", GoodTools::pause, "other", (ctx, input) -> ToolOutput.of(null));
        }

        private static ToolOutput refuse(ToolContext ctx, ObjectNode input) {
            throw new ToolException("E_FULL", "The place is full.");
        }

        private static ToolOutput pause(ToolContext ctx, ObjectNode input) throws InterruptedException {
            Thread.sleep(60_000);
            return ToolOutput.of(null);
        }
    }
}
