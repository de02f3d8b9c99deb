package dev.toolfleet.hosts;

import java.nio.file.Files;
import java.nio.file.Path;

import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.Progress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Handlers in Python, in a real Python.
@Timeout(60)
class PythonHostIT {
    @TempDir
    Path folder = Path.of(".");

    private HostFixture bundle = new HostFixture(folder);

    /// CI installs Python; elsewhere these tests are skipped without it.
    @BeforeAll
    static void needsPython() {
        if (!"required".equals(System.getenv("SANDBOX_TESTS")))
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "python3 is not installed");
    }

    @BeforeEach
    void open() {
        bundle = new HostFixture(folder);
    }

    @AfterEach
    void close() {
        bundle.close();
    }

    private HostFixture.Loaded py(String code, String... exports) throws Exception {
        return bundle.file("tools/t.py", code).tool("tools/t.py", "", exports);
    }

    @Test
    void functionsAndCoroutinesAreHandlers() throws Exception {
        bundle.file("shared.py", "def twice(x):\n    return 2 * x\n");
        HostFixture.Loaded tool = py("""
                import asyncio
                from shared import twice

                def add(ctx, input):
                    return {"sum": input["a"] + input["b"]}

                async def double(ctx, input):
                    await asyncio.sleep(0)
                    return twice(input["a"])

                handlers = {"calc.add": add, "double": double}
                """, "calc.add", "double");

        assertThat(tool.call("calc.add", "{\"a\": 2, \"b\": 3}").path("sum").intValue()).isEqualTo(5);
        assertThat(tool.call("double", "{\"a\": 2}").intValue()).isEqualTo(4);
    }

    @Test
    void tokensComeToFunctionsAndCoroutines() throws Exception {
        NodeServicesIT.assertTokens(py("""
                def all(ctx, input):
                    return [ctx.authorized(), ctx.authorized("a", "b", min_ttl=2), ctx.authorized("none")]

                handlers = {"all": all}
                """, "all"));
        NodeServicesIT.assertTokens(bundle.file("tools/u.py", """
                async def all(ctx, input):
                    return [await ctx.authorized(), await ctx.authorized("a", "b", min_ttl=2),
                            await ctx.authorized("none")]

                handlers = {"all": all}
                """).tool("tools/u.py", "", "all"));
    }

    @Test
    void aDataclassIsMadeOfTheInputAndNamesAWrongField() throws Exception {
        HostFixture.Loaded tool = py("""
                from dataclasses import dataclass

                @dataclass
                class Build:
                    target: str
                    jobs: int = 1

                def build(ctx, build: Build):
                    return f"{build.target} {build.jobs}"

                handlers = {"build": build}
                """, "build");

        assertThat(tool.call("build", "{\"target\": \"all\"}").stringValue()).isEqualTo("all 1");
        assertThatThrownBy(() -> tool.call("build", "{\"target\": 7}")).hasMessageContaining("target")
                .isInstanceOfSatisfying(ToolException.class,
                        failure -> assertThat(failure.code()).isEqualTo("E_TOOL_INVALID_ARGS"));
    }

    @Test
    void aHandlerSeesItsContext() throws Exception {
        HostFixture.Loaded tool = py("""
                import os

                def see(ctx, input):
                    ctx.progress(50, "half")
                    ctx.logger.warning("hot %d", 200)
                    print('{"jsonrpc": "2.0", "id": 1, "result": {}}')
                    return {"instance": ctx.instance_key, "key": ctx.idempotency_key, "attempt": ctx.attempt,
                            "cancelled": ctx.cancelled.is_set(), "handle": ctx.new_handle(),
                            "secrets": [name for name in os.environ if "SECRET" in name]}

                handlers = {"see": see}
                """, "see");

        try (FakeToolContext ctx = FakeToolContext.create()) {
            JsonNode seen = tool.call("see", ctx, "{}");

            assertThat(seen.path("instance").stringValue()).isEqualTo(ctx.instanceKey());
            assertThat(seen.path("key").stringValue()).isEqualTo(ctx.idempotencyKey());
            assertThat(seen.path("attempt").intValue()).isEqualTo(1);
            assertThat(seen.path("cancelled").booleanValue(true)).isFalse();
            assertThat(seen.path("handle").stringValue()).hasSizeGreaterThan(20);
            assertThat(seen.path("secrets").size()).isZero();
            assertThat(ctx.progressed()).containsExactly(new Progress(50.0, "half"));
            assertThat(ctx.logLines()).anyMatch(line -> line.toString().contains("hot 200"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"None | null",
            "{'a': [1.5, True, 'ü']} | {\"a\":[1.5,true,\"ü\"]}"})
    void aValueBecomesJson(String value, String json) throws Exception {
        HostFixture.Loaded tool = py("handlers = {'give': lambda ctx, input: " + value + "}", "give");

        assertThat(tool.call("give", "{}")).hasToString(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"{'a': [float('nan')]} | $.a[0]", "{1, 2} | $",
            "b'x' | $"})
    void aValueThatIsNoJsonIsRefusedByItsPlace(String value, String place) throws Exception {
        HostFixture.Loaded tool = py("handlers = {'give': lambda ctx, input: " + value + "}", "give");

        assertThatThrownBy(() -> tool.call("give", "{}")).hasMessageContaining(place).isInstanceOfSatisfying(
                ToolException.class, failure -> assertThat(failure.code()).isEqualTo("E_TOOL_RESULT_INVALID"));
    }

    @Test
    void anExceptionKeepsItsNameAndAToolErrorItsCode() throws Exception {
        HostFixture.Loaded tool = py("""
                from toolfleet_host import ToolError

                def fail(ctx, input):
                    raise ToolError("E_OVEN", "no oven", suggestion="Heat one.")

                def plain(ctx, input):
                    return {}["missing"]

                handlers = {"fail": fail, "plain": plain}
                """, "fail", "plain");

        assertThatThrownBy(() -> tool.call("fail", "{}")).hasMessage("no oven").isInstanceOfSatisfying(
                ToolException.class,
                failure -> assertThat(failure.code() + " " + failure.suggestion()).isEqualTo("E_OVEN Heat one."));
        assertThatThrownBy(() -> tool.call("plain", "{}")).isInstanceOfSatisfying(ToolException.class,
                failure -> assertThat(failure.code() + " " + failure.name()).isEqualTo("E_TOOL KeyError"));
    }

    @Test
    void anAsynchronousAnswerWaitsForItsHandle() throws Exception {
        HostFixture.Loaded tool = py("""
                from toolfleet_host import pending

                def begin(ctx, input):
                    return pending("build-7", {"queue": "oven"}, silent_at_most=60)

                handlers = {"begin": begin}
                """, "begin");

        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThat(tool.output("begin", ctx, "{}")).isInstanceOfSatisfying(ToolOutput.Pending.class, pending -> {
                assertThat(pending.handle()).isEqualTo("build-7");
                assertThat(pending.heartbeatTimeout()).hasSeconds(60);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
            def wait(ctx, input):
                ctx.progress(0, "begun")
                ctx.cancelled.wait()
                return "stopped"
            """, """
            import asyncio

            async def wait(ctx, input):
                try:
                    ctx.progress(0, "begun")
                    await asyncio.sleep(100)
                except asyncio.CancelledError:
                    return "stopped"
            """})
    void aCancelledHandlerLearnsIt(String code) throws Exception {
        HostFixture.Loaded tool = py(code + "\nhandlers = {'wait': wait}\n", "wait");
        tool.handlers();
        Thread caller = Thread.currentThread();

        try (FakeToolContext ctx = FakeToolContext.create()) {
            Thread.ofVirtual().start(() -> {
                // A task of asyncio that is cancelled before its start never learns it.
                await().until(() -> !ctx.progressed().isEmpty());
                caller.interrupt();
            });
            assertThat(tool.call("wait", ctx, "{}").stringValue()).isEqualTo("stopped");
        }
    }

    @Test
    void aProcessThatEndsInACallLeavesItUnknown() throws Exception {
        HostFixture.Loaded tool = py("import os\nhandlers = {'run': lambda ctx, input: os._exit(5)}\n", "run!");

        assertThatThrownBy(() -> tool.call("run", "{}")).hasMessageContaining("status 5").isInstanceOfSatisfying(
                ToolException.class,
                failure -> assertThat(failure.code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN"));
    }

    @Test
    void aHandlerThatUsesUpItsMemoryFails() throws Exception {
        bundle.close();
        bundle = new HostFixture(folder,
                new HostsConfig("node", "python3", 128L << 20, 1, HostsConfig.DEFAULT.renewal()));
        HostFixture.Loaded tool = py("handlers = {'keep': lambda ctx, input: len(bytearray(1 << 30))}\n", "keep");

        assertThatThrownBy(() -> tool.call("keep", "{}")).isInstanceOfSatisfying(ToolException.class,
                failure -> assertThat(failure.name()).isEqualTo("MemoryError"));
    }

    @Test
    void aSyntaxErrorIsNamedByFileAndLine() throws Exception {
        HostFixture.Loaded tool = py("handlers = {\n  'a': lambda: ((\n", "a");

        assertThatThrownBy(tool::handlers).isInstanceOf(ModuleLoadException.class)
                .hasMessageContaining("tools/t.py:").hasMessageContaining("SyntaxError");
    }

    @Test
    void tenThousandCallsLeaveDescriptorsAsTheyWere() throws Exception {
        HostFixture.Loaded tool = py("handlers = {'echo': lambda ctx, input: input}\n", "echo");
        tool.call("echo", "{}");
        long pid = bundle.hosts().processes().getFirst().pid();
        int before = descriptors(pid);

        try (FakeToolContext ctx = FakeToolContext.create().deadlineIn(java.time.Duration.ofMinutes(1))) {
            for (int i = 0; i < 10_000; i++)
                tool.call("echo", ctx, "{\"i\": 1}");
        }

        assertThat(descriptors(pid)).isLessThanOrEqualTo(before + 2);
        assertThat(bundle.hosts().starts()).isEqualTo(1);
    }

    private static int descriptors(long pid) {
        String[] names = Path.of("/proc", Long.toString(pid), "fd").toFile().list();
        return names == null ? 0 : names.length;
    }
}
