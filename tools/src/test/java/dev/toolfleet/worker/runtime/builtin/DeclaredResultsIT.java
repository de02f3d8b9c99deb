package dev.toolfleet.worker.runtime.builtin;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.testkit.FakeAgentRuntime;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.sandbox.SandboxConfig;
import dev.toolfleet.worker.tools.agents.AgentsModule;
import dev.toolfleet.worker.tools.bash.BashModule;
import dev.toolfleet.worker.tools.filesystem.FileSystemModule;
import dev.toolfleet.worker.tools.selfrestart.Restarts;
import dev.toolfleet.worker.tools.selfrestart.SelfRestartModule;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// The older built-in tools answer as they declare; [DeclaredTool] checks it.
class DeclaredResultsIT {
    @TempDir
    Path workdir;

    @Test
    void ofBash() throws Exception {
        DeclaredTool bash = new DeclaredTool("bash",
                new BashModule(Sandbox.prepare(SandboxConfig.OFF, workdir), workdir));
        FakeToolContext ctx = FakeToolContext.in(workdir).deadlineIn(Duration.ofMinutes(5));
        assertThat(bash.call("exec", "{'command': 'echo sh > s; kill -9 $$'}", ctx).path("signal").asString())
                .isEqualTo("SIGKILL");
        assertThat(bash.call("exec", "{'command': 'yes | head -c 3000000'}", ctx).has("stdoutTruncated")).isTrue();
        assertThat(bash.call("script", "{'path': 's', 'args': ['a']}", ctx).path("exitCode").asInt()).isZero();
    }

    @Test
    void ofFileSystem() throws Exception {
        DeclaredTool files = new DeclaredTool("file-system", new FileSystemModule(workdir));
        FakeToolContext ctx = FakeToolContext.in(workdir);
        files.call("mkdir", "{'path': 'd'}", ctx);
        files.call("write", "{'path': 'd/a', 'content': 'x'}", ctx);
        files.call("write", "{'path': 'd/b', 'content': 'x'}", ctx);
        assertThat(files.call("read", "{'path': 'd/a'}", ctx).path("content").asString()).isEqualTo("x");
        assertThat(files.call("list", "{'recursive': true}", ctx).path("count").asInt()).isEqualTo(3);
        assertThat(files.configured("{'maxEntries': 1}").call("list", "{}", ctx).path("count").asInt()).isEqualTo(1);
    }

    @Test
    void ofToolSearch() throws Exception {
        List<ToolCatalogItem> none = List.of();
        DeclaredTool search = new DeclaredTool("tool-search", new ToolSearchModule((agent, caller) -> none));
        assertThat(search.call("search", "{'query': 'x'}").has("message")).isTrue();
    }

    @Test
    void ofAgents() throws Exception {
        DeclaredTool agents = new DeclaredTool("agents", new AgentsModule());
        try (FakeToolContext ctx = FakeToolContext.create()
                .runtime(new FakeAgentRuntime(List.of("reviewer"), input -> "seen: " + input))) {
            assertThat(agents.call("request", "{'target': 'reviewer', 'input': 'x', 'async': true}", ctx)
                    .path("response").isNull()).isTrue();
            agents.call("send", "{'target': 'reviewer', 'input': 'x'}", ctx);
            agents.call("spawn", "{'target': 'reviewer'}", ctx);
            assertThat(agents.call("list", "{}", ctx).path("count").asInt()).isEqualTo(1);
            agents.call("catalog", "{}", ctx);
        }
    }

    @Test
    void ofSelfRestart() throws Exception {
        DeclaredTool restart = new DeclaredTool("self-restart",
                new SelfRestartModule(reason -> new Restarts.Answer.Begins()));
        assertThat(restart.call("request", "{'reason': 'new code'}").path("restartReason").asString())
                .isEqualTo("new code");
    }
}
