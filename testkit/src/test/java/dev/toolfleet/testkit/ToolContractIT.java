package dev.toolfleet.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class ToolContractIT {
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Path> files = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void cleanUp() throws IOException {
        end.countDown();
        processes.forEach(Process::destroyForcibly);
        for (Path file : files)
            Files.deleteIfExists(file);
    }

    @Test
    void aGoodToolPasses() {
        ToolHandler good = (ctx, input) -> switch (input.path("do").asString()) {
            case "sleep" -> {
                Thread.sleep(Duration.ofMinutes(1));
                yield null;
            }
            case "fail" -> throw new ToolException("E_X", "It failed.");
            default -> {
                Files.writeString(ctx.workdir().resolve("a"), "text");
                yield ToolOutput.of(Map.of("answer", 42));
            }
        };
        assertThatCode(() -> contract(good).input("{}").failingInput("{'do': 'fail'}").slowInput("{'do': 'sleep'}")
                .verify()).doesNotThrowAnyException();
    }

    @Test
    void aMissingExportIsNamed() {
        assertThatThrownBy(
                () -> ToolContract.of(() -> module((ctx, input) -> null)).export("other").input("{}").verify())
                .isInstanceOf(AssertionError.class).hasMessageContaining("other: has no handler; the module has [run]");
    }

    @Test
    void aToolThatIgnoresInterruptsFailsBothSlowChecks() {
        ToolHandler deaf = (ctx, input) -> {
            while (end.getCount() > 0)
                Thread.onSpinWait();
            return null;
        };
        assertBroken(contract(deaf).grace(Duration.ofMillis(100)).slowInput("{}"))
                .hasMessageContaining("after it was interrupted").hasMessageContaining("after its deadline")
                .hasMessageContaining("handler-run");
    }

    @Test
    void aSlowInputThatIsNotSlowProvesNothing() {
        assertBroken(contract((ctx, input) -> null).slowInput("{}")).hasMessageContaining("before it could be");
    }

    @Test
    void anAnswerBeyondTheSizeFails() {
        assertBroken(contract((ctx, input) -> ToolOutput.of("x".repeat(2000))).maxResultBytes(1000).input("{}"))
                .hasMessageContaining("answered 2002 bytes");
    }

    @Test
    void anAnswerThatIsNotJsonFails() {
        Map<String, Object> cycle = new java.util.HashMap<>();
        cycle.put("me", cycle);
        assertBroken(contract((ctx, input) -> ToolOutput.of(cycle)).input("{}")).hasMessageContaining("is not JSON");
        assertBroken(contract((ctx, input) -> ToolOutput.of(List.of(Double.NaN))).input("{}"))
                .hasMessageContaining("NaN");
    }

    @Test
    void anErrorWithoutCodeOrMessageFails() {
        assertBroken(contract((ctx, input) -> {
            throw new IllegalStateException();
        }).failingInput("{}")).hasMessageContaining("names no code").hasMessageContaining("without a message");
        assertBroken(contract((ctx, input) -> null).failingInput("{}")).hasMessageContaining("should have failed");
        assertBroken(contract((ctx, input) -> {
            throw new ToolException("E_X", "broken");
        }).input("{}")).hasMessageContaining("failed with dev.toolfleet.tool.ToolException: broken");
    }

    @Test
    void leakedThreadsOfBothKindsFail() {
        assertBroken(contract((ctx, input) -> {
            Thread.ofPlatform().daemon().name("stray-platform").start(this::awaitEnd);
            Thread.ofVirtual().name("stray-virtual").start(this::awaitEnd);
            return null;
        }).input("{}")).hasMessageContaining("stray-platform").hasMessageContaining("stray-virtual");
    }

    @Test
    void aLeakedProcessFails() {
        assertBroken(contract((ctx, input) -> {
            processes.add(new ProcessBuilder("sleep", "61").directory(ctx.workdir().toFile()).start());
            return null;
        }).input("{}")).hasMessageContaining("left behind after close(): process").hasMessageContaining("sleep 61");
    }

    @Test
    void leftOpenFilesFail() {
        List<AutoCloseable> kept = new ArrayList<>();
        assertBroken(contract((ctx, input) -> {
            kept.add(Files.newOutputStream(ctx.workdir().resolve("kept-open")));
            return null;
        }).input("{}")).hasMessageContaining("open file").hasMessageContaining("kept-open");
        kept.forEach(file -> assertThatCode(file::close).doesNotThrowAnyException());
    }

    @Test
    void filesOutsideTheWorkdirFail() {
        assertBroken(contract((ctx, input) -> {
            Files.writeString(ctx.workdir().resolveSibling("beside"), "x");
            return null;
        }).input("{}")).hasMessageContaining("outside its workdir").hasMessageContaining("beside");
        assertBroken(contract((ctx, input) -> {
            files.add(Files.createTempFile("stray-", ".tmp"));
            return null;
        }).input("{}")).hasMessageContaining("left files outside its workdir").hasMessageContaining("stray-");
    }

    @Test
    void foldersOfOtherTestsAreNotTheTools() throws InterruptedException {
        contract((ctx, input) -> {
            files.add(Files.createTempDirectory("toolfleet-host-"));
            return null;
        }).input("{}").verify();
    }

    @Test
    void reconcileAnswersInTimeAndNeitherThrowsNorAnswersNull() {
        assertBroken(reconciling((ctx, input) -> {
            throw new IllegalArgumentException("no such call");
        })).hasMessageContaining("reconcile of run {}: threw").hasMessageContaining("no such call");
        assertBroken(reconciling((ctx, input) -> null)).hasMessageContaining("reconcile of run {}: answered null");
        assertBroken(reconciling((ctx, input) -> Reconciliation.happened(List.of(Double.NaN))))
                .hasMessageContaining("reconcile of run {}: answered NaN");
    }

    @Test
    void reconcileIsAskedBeforeTheCallsAreMade() throws InterruptedException {
        List<String> order = new CopyOnWriteArrayList<>();
        ToolContract.of(() -> new Reconciling((ctx, input) -> {
            order.add("asked");
            return Reconciliation.didNotHappen();
        }, (ctx, input) -> {
            order.add("called");
            return null;
        })).export("run").input("{}").verify();

        assertThat(order).startsWith("asked", "called").containsOnlyOnce("asked");
    }

    /// A tool with one export that answers nothing, and a way to reconcile it.
    private record Reconciling(Question question, ToolHandler handler) implements ToolModule {
        interface Question {
            @Nullable
            Reconciliation ask(ToolContext ctx, ObjectNode input);
        }

        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("run", handler);
        }

        /// Tools are not compiled with our checks: null does come.
        @Override
        @SuppressWarnings("NullAway")
        public Reconciliation reconcile(String export, ToolContext context, ObjectNode input) {
            return question.ask(context, input);
        }
    }

    private static ToolContract reconciling(Reconciling.Question question) {
        return ToolContract.of(() -> new Reconciling(question, (ctx, input) -> null)).export("run").input("{}");
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ToolContract contract(ToolHandler handler) {
        return ToolContract.of(() -> module(handler)).export("run");
    }

    private static ToolModule module(ToolHandler handler) {
        return () -> Map.of("run", handler);
    }

    private static AbstractThrowableAssert<?, ?> assertBroken(ToolContract contract) {
        return assertThatThrownBy(contract::verify).isInstanceOf(AssertionError.class);
    }
}
