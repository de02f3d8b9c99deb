package dev.toolfleet.hosts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;

import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.Progress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// Handlers in JavaScript and TypeScript, in a real Node.
@Timeout(60)
class NodeHostIT {
    @TempDir
    Path folder = Path.of(".");

    private HostFixture bundle = new HostFixture(folder);

    @BeforeEach
    void open() {
        Map<String, String> env = new HashMap<>(System.getenv());
        env.put("TOOLFLEET_SECRET", "hush");
        bundle = new HostFixture(folder, HostsConfig.DEFAULT, env);
    }

    @AfterEach
    void close() {
        bundle.close();
    }

    private HostFixture.Loaded js(String code, String... exports) throws Exception {
        return bundle.file("t.mjs", code).tool("t.mjs", "", exports);
    }

    @Test
    void theHandlersOfTheSeedsRunUnchanged() throws Exception {
        bundle.file("calc/index.js", """
                export const handlers = {
                  'calc.add': async (ctx, input) => ({ sum: input.a + input.b }),
                  'calc.multiply': (ctx, input) => ({ product: input.a * input.b }),
                };
                """).file("package.json", "{\"type\": \"module\"}").file("text-utils.mjs", """
                export default {
                  handlers: {
                    uppercase: async (ctx, input) => ({ result: input.text.toUpperCase() }),
                  },
                };
                """);
        HostFixture.Loaded calc = bundle.tool("calc/index.js", "", "calc.add", "calc.multiply");
        HostFixture.Loaded text = bundle.tool("text-utils.mjs", "\"isolation\": \"tool\"", "uppercase");

        assertThat(calc.call("calc.add", "{\"a\": 2, \"b\": 3}").path("sum").intValue()).isEqualTo(5);
        assertThat(calc.call("calc.multiply", "{\"a\": 2, \"b\": 3}").path("product").intValue()).isEqualTo(6);
        assertThat(text.call("uppercase", "{\"text\": \"abc\"}").path("result").stringValue()).isEqualTo("ABC");
    }

    @Test
    void aHandlerSeesItsContext() throws Exception {
        HostFixture.Loaded tool = js("""
                export const handlers = { see: (ctx) => ({ ...ctx, signal: ctx.signal.aborted,
                  deadline: ctx.deadline instanceof Date, handle: ctx.newHandle(), secret: process.env.TOOLFLEET_SECRET,
                  cwd: process.cwd(), runtime: typeof ctx.runtime, logger: typeof ctx.logger.info }) };
                """, "see");

        try (FakeToolContext ctx = FakeToolContext.create().attempt(2)) {
            JsonNode seen = tool.call("see", ctx, "{}");

            assertThat(seen.path("instanceKey").stringValue()).isEqualTo(ctx.instanceKey());
            assertThat(seen.path("toolCallId").stringValue()).isEqualTo(ctx.toolCallId());
            assertThat(seen.path("workdir").stringValue()).isEqualTo(ctx.workdir().toString());
            assertThat(seen.path("idempotencyKey").stringValue()).isEqualTo(ctx.idempotencyKey());
            assertThat(seen.path("fencingToken").longValue()).isEqualTo(ctx.fencingToken());
            assertThat(seen.path("attempt").intValue()).isEqualTo(2);
            assertThat(seen.path("caller").path("userId").stringValue()).isEqualTo("user-1");
            assertThat(seen.path("deadline").booleanValue()).isTrue();
            assertThat(seen.path("signal").booleanValue(true)).isFalse();
            assertThat(seen.path("handle").stringValue()).hasSizeGreaterThan(20);
            assertThat(seen.path("message").path("source").path("type").stringValue()).isEqualTo("assistant");
            assertThat(seen.path("runtime").stringValue()).isEqualTo("undefined");
            assertThat(seen.path("logger").stringValue()).isEqualTo("function");
            assertThat(seen.has("secret")).as("the worker's environment").isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"undefined | null", "null | null",
            "{a: undefined, b: [undefined]} | {\"b\":[null]}",
            "'ü' | \"ü\"", "new Date(0) | \"1970-01-01T00:00:00.000Z\"", "{a: 1.5} | {\"a\":1.5}"})
    void aValueBecomesJson(String value, String json) throws Exception {
        HostFixture.Loaded tool = js("export const handlers = { give: () => (" + value + ") };", "give");

        assertThat(tool.call("give", "{}")).hasToString(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"({a: [NaN]}) | $.a[0]", "({x: Infinity}) | $.x",
            "10n | BigInt",
            "(() => { const a = {}; a.self = a; return a; })() | $.self", "'x'.repeat(5000000) | 5000"})
    void aValueThatIsNoJsonIsRefusedByItsPlace(String value, String place) throws Exception {
        HostFixture.Loaded tool = js("export const handlers = { give: () => " + value + " };", "give");

        assertThatThrownBy(() -> tool.call("give", "{}")).isInstanceOf(ToolException.class)
                .hasMessageContaining(place).extracting(failure -> ((ToolException) failure).code())
                .isEqualTo("E_TOOL_RESULT_INVALID");
        assertThat(bundle.hosts().starts()).isEqualTo(1);
    }

    @Test
    void aThrownErrorKeepsItsFieldsAndAnyOtherThingItsText() throws Exception {
        HostFixture.Loaded tool = js("""
                class BuildError extends Error { name = 'BuildError'; }
                export const handlers = {
                  fail: () => { throw Object.assign(new BuildError('no oven'), { code: 'E_OVEN', suggestion: 'Heat one.',
                    helpUrl: 'https://example.com' }); },
                  plain: async () => { throw new TypeError('bad'); },
                  thing: () => { throw 'a text'; },
                };
                """, "fail", "plain", "thing");

        assertThatThrownBy(() -> tool.call("fail", "{}")).isInstanceOfSatisfying(ToolException.class, failure -> {
            assertThat(failure.getMessage()).isEqualTo("no oven");
            assertThat(List.of(failure.code(), String.valueOf(failure.name()), String.valueOf(failure.suggestion()),
                    String.valueOf(failure.helpUrl())))
                    .containsExactly("E_OVEN", "BuildError", "Heat one.", "https://example.com");
        });
        assertThatThrownBy(() -> tool.call("plain", "{}")).isInstanceOfSatisfying(ToolException.class,
                failure -> assertThat(failure.code() + " " + failure.name()).isEqualTo("E_TOOL TypeError"));
        assertThatThrownBy(() -> tool.call("thing", "{}")).hasMessage("a text").isInstanceOfSatisfying(
                ToolException.class, failure -> assertThat(failure.name()).isEqualTo("UnknownError"));
    }

    @Test
    void anAsynchronousAnswerWaitsForItsHandle() throws Exception {
        HostFixture.Loaded tool = js(
                "export const handlers = { begin: () => ({ __async: true, handle: 'build-7', queue: 'oven' }) };",
                "begin");

        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThat(tool.output("begin", ctx, "{}")).isInstanceOfSatisfying(ToolOutput.Pending.class, pending -> {
                assertThat(pending.handle()).isEqualTo("build-7");
                assertThat(String.valueOf(pending.output())).isEqualTo("{\"queue\":\"oven\"}");
            });
        }
    }

    @Test
    void progressAndLogLinesBelongToTheirCall() throws Exception {
        HostFixture.Loaded tool = js("""
                export const handlers = { bake: async (ctx) => {
                  console.log('{"jsonrpc": "2.0", "id": 1, "result": {}}');
                  ctx.logger.warn('hot %d', 200); ctx.progress(50, 'half'); return 'done'; } };
                """, "bake");

        try (FakeToolContext ctx = FakeToolContext.create()) {
            assertThat(tool.call("bake", ctx, "{}").stringValue()).isEqualTo("done");
            assertThat(ctx.progressed()).containsExactly(new Progress(50.0, "half"));
            assertThat(ctx.logLines()).anyMatch(line -> line.toString().contains("hot 200"));
        }
    }

    @Test
    void aCancelledHandlerSeesItsSignal() throws Exception {
        HostFixture.Loaded tool = js("""
                export const handlers = { wait: (ctx) => new Promise(resolve =>
                  ctx.signal.addEventListener('abort', () => resolve('stopped'))) };
                """, "wait");
        tool.handlers();

        Thread caller = Thread.currentThread();
        try (FakeToolContext ctx = FakeToolContext.create()) {
            Thread.ofVirtual().start(() -> {
                await().until(() -> bundle.hosts().processes().getFirst().inFlight() == 1);
                caller.interrupt();
            });
            assertThat(tool.call("wait", ctx, "{}").stringValue()).isEqualTo("stopped");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"process.exit(5) | status 5",
            "Promise.reject(new Error('nobody waits')); await new Promise(() => {}) | nobody waits",
            "setTimeout(() => { throw new Error('late') }, 1); await new Promise(() => {}) | late"})
    void aProcessThatEndsInACallLeavesItUnknown(String code, String reason) throws Exception {
        HostFixture.Loaded tool = js("export const handlers = { run: async () => { " + code + "; } };", "run!");

        assertThatThrownBy(() -> tool.call("run", "{}")).hasMessageContaining(reason)
                .isInstanceOfSatisfying(ToolException.class,
                        failure -> assertThat(failure.code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN"));
    }

    @Test
    void aLoopWithoutEndCostsItsNeighbourOneMoreStart() throws Exception {
        HostFixture.Loaded tool = js("""
                import { existsSync, writeFileSync } from 'node:fs';
                export const handlers = {
                  loop: () => { while (true) {} },
                  neighbour: async (ctx, input) => {
                    if (ctx.attempt > 1) return 'again';
                    writeFileSync(input.file, ''); await new Promise(() => {}); },
                };
                """, "loop!", "neighbour");
        tool.handlers();
        Path started = folder.resolve("started");
        Thread.ofVirtual().start(() -> {
            await().until(() -> Files.exists(started));
            assertThatThrownBy(() -> tool.call("loop", "{}")).isInstanceOf(ToolException.class);
        });

        assertThat(tool.call("neighbour", "{\"file\": \"" + started + "\"}").stringValue()).isEqualTo("again");
    }

    @Test
    void aHandlerThatKeepsMemoryCostsItsProcessAndNoOther() throws Exception {
        bundle.close();
        bundle = new HostFixture(folder,
                new HostsConfig("node", "python3", 64L << 20, 1, HostsConfig.DEFAULT.renewal()));
        HostFixture.Loaded tool = js("""
                const kept = [];
                export const handlers = { keep: async () => { while (true) kept.push(new Array(100000).fill(1)); },
                  echo: (ctx, input) => input };
                """, "keep!", "echo");

        assertThatThrownBy(() -> tool.call("keep", "{}")).isInstanceOfSatisfying(ToolException.class,
                failure -> assertThat(failure.code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN"));
        assertThat(tool.call("echo", "{\"a\": 1}").path("a").intValue()).isEqualTo(1);
    }

    @Test
    void printsWithoutEndHoldUpNoCall() throws Exception {
        HostFixture.Loaded tool = js("""
                export const handlers = { print: async () => { for (let i = 0; i < 20000; i++) console.log('x'.repeat(200));
                  return 'printed'; } };
                """, "print");

        assertThat(tool.call("print", "{}").stringValue()).isEqualTo("printed");
    }

    @Test
    void theChildrenOfAHandlerEndWithTheHost() throws Exception {
        HostFixture.Loaded tool = js("""
                import { spawn } from 'node:child_process';
                export const handlers = { spawn: () => spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).pid };
                """, "spawn");
        long child = tool.call("spawn", "{}").longValue();
        assertThat(ProcessHandle.of(child).orElseThrow().isAlive()).isTrue();

        tool.close();

        await().until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aSyntaxErrorIsNamedByFileAndLine() throws Exception {
        HostFixture.Loaded tool = js("export const handlers = {\n  a: () => {{ };\n", "a");

        assertThatThrownBy(tool::handlers).isInstanceOf(ModuleLoadException.class).hasMessageContaining("t.mjs")
                .hasMessageContaining("SyntaxError");
    }

    @Test
    void aModuleWithoutHandlersIsRefused() throws Exception {
        HostFixture.Loaded tool = js("export const handler = () => 1;", "a");

        assertThatThrownBy(tool::handlers).isInstanceOf(ModuleLoadException.class).hasMessageContaining("handlers");
    }

    @Test
    void typeScriptRunsInItsCompiledForm() throws Exception {
        HostFixture.Loaded tool = bundle.file("src/tools/shout.ts", "export const handlers: X = 1;")
                .file("package.json", "{\"type\": \"module\"}")
                .file("dist/tools/shout.js", "export const handlers = { run: () => 'compiled' };")
                .tool("src/tools/shout.ts", "", "run");

        assertThat(tool.call("run", "{}").stringValue()).isEqualTo("compiled");
    }

    @Test
    void toolsOfABundleShareAProcessUnlessTheyWantTheirOwn() throws Exception {
        bundle.file("a.mjs", "export const handlers = { pid: () => process.pid };");
        HostFixture.Loaded one = bundle.tool("a.mjs", "", "pid");
        HostFixture.Loaded two = bundle.tool("a.mjs", "", "pid");
        HostFixture.Loaded own = bundle.tool("a.mjs", "\"isolation\": \"tool\"", "pid");
        HostFixture.Loaded each = bundle.file("b.mjs", "").tool("a.mjs", "\"isolation\": \"call\"", "pid");

        JsonNode shared = one.call("pid", "{}");
        assertThat(two.call("pid", "{}")).isEqualTo(shared);
        assertThat(own.call("pid", "{}")).isNotEqualTo(shared);
        assertThat(each.call("pid", "{}")).isNotEqualTo(each.call("pid", "{}"));
        assertThat(bundle.hosts().processes()).as("those of single calls have ended").hasSize(3);
    }

    @Test
    void aChangedFileIsAnotherProcessAndTheOldOneEndsWithItsTool() throws Exception {
        HostFixture.Loaded before = js("export const handlers = { v: () => 1 };", "v");
        assertThat(before.call("v", "{}").intValue()).isEqualTo(1);

        HostFixture.Loaded after = js("export const handlers = { v: () => 2 };", "v");

        assertThat(after.call("v", "{}").intValue()).isEqualTo(2);
        assertThat(before.call("v", "{}").intValue()).as("a call that goes on").isEqualTo(1);
        before.close();
        assertThat(bundle.hosts().processes()).hasSize(1);
        assertThat(after.call("v", "{}").intValue()).isEqualTo(2);
    }

    @Test
    void aProcessThatHasHadItsCallsIsReplacedAndEndsAfterThem() throws Exception {
        bundle.close();
        bundle = new HostFixture(folder, new HostsConfig("node", "python3", 256L << 20, 1,
                new HostsConfig.Renewal(3, Duration.ZERO)));
        HostFixture.Loaded tool = js("""
                export const handlers = { pid: () => process.pid,
                  slow: () => new Promise(resolve => setTimeout(() => resolve(process.pid), 1000)) };
                """, "pid", "slow");
        FutureTask<JsonNode> slow = new FutureTask<>(() -> tool.call("slow", "{}"));
        tool.handlers();
        Thread.ofVirtual().start(slow);
        await().until(() -> bundle.hosts().processes().getFirst().inFlight() == 1);

        List<JsonNode> pids = new ArrayList<>();
        for (int i = 0; i < 5; i++)
            pids.add(tool.call("pid", "{}"));

        assertThat(pids.subList(0, 2)).containsOnly(slow.get());
        assertThat(Set.copyOf(pids)).hasSize(2);
        assertThat(bundle.hosts().starts()).isEqualTo(2);
        await().until(() -> ProcessHandle.of(slow.get().longValue()).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void tenThousandCallsLeaveDescriptorsAndThreadsAsTheyWere() throws Exception {
        bundle.named("counted");
        HostFixture.Loaded tool = js("export const handlers = { echo: (ctx, input) => input };", "echo");
        tool.call("echo", "{}");
        long pid = bundle.hosts().processes().getFirst().pid();
        int before = descriptors(pid);
        long threads = threadsOf("counted");
        assertThat(threads).isPositive();

        try (FakeToolContext ctx = FakeToolContext.create().deadlineIn(Duration.ofMinutes(1))) {
            for (int i = 0; i < 10_000; i++)
                tool.call("echo", ctx, "{\"i\": 1}");
        }

        assertThat(descriptors(pid)).isLessThanOrEqualTo(before + 2);
        assertThat(threadsOf("counted")).isLessThanOrEqualTo(threads);
        assertThat(bundle.hosts().starts()).isEqualTo(1);
    }

    /// Threads of the hosts of one bundle. Others of this process come and go.
    private static long threadsOf(String bundle) {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> name.startsWith("host-") && name.contains(bundle)).count();
    }

    private static int descriptors(long pid) {
        String[] names = Path.of("/proc", Long.toString(pid), "fd").toFile().list();
        return names == null ? 0 : names.length;
    }
}
