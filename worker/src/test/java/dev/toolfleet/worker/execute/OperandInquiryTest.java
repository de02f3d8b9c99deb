package dev.toolfleet.worker.execute;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.tool.Operand;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A module that names the files of a call is run as a handler that only looks.
class OperandInquiryTest {
    private static final Operand SCRIPT = Operand.of("deploy.sh", "echo ok".getBytes(StandardCharsets.UTF_8));

    private final ExecutorFixture worker = new ExecutorFixture();

    @AfterEach
    void close() {
        worker.close();
    }

    /// @param operands the answer
    private record Module(Callable<@Nullable List<Operand>> operands) implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of("run", (ctx, input) -> ToolOutput.of("ran"));
        }

        @Override
        @SuppressWarnings("NullAway") // A module may break its promise.
        public List<Operand> operands(String export, ToolContext context, ObjectNode input) throws Exception {
            return operands.call();
        }
    }

    private static String code(OperandInquiry.Found found) {
        return ((ToolReply.Failed) ((OperandInquiry.Found.Failed) found).reply()).error().code();
    }

    @Test
    void theModuleNamesTheFiles() {
        assertThat(worker.operands(new Module(() -> List.of(SCRIPT))))
                .isEqualTo(new OperandInquiry.Found.Known(List.of(SCRIPT)));
        assertThat(worker.operands(() -> Map.of("run", (ctx, input) -> ToolOutput.of("ran"))))
                .as("none unless it says so").isEqualTo(new OperandInquiry.Found.Known(List.of()));
        assertThat(worker.running.count()).isZero();
    }

    @Test
    void aModuleThatFailsEndsTheCallWithItsError() {
        assertThat(code(worker.operands(new Module(() -> {
            throw new ToolException("ENOENT", "no such file");
        })))).isEqualTo("ENOENT");
        assertThat(code(worker.operands(new Module(() -> null)))).isEqualTo("E_TOOL");
    }

    /// Nothing has happened, so the error does not claim that it may have.
    @Test
    void aCallWhosePartitionMovesMeanwhileIsLeftToTheHeir() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        FutureTask<OperandInquiry.Found> found = new FutureTask<>(() -> worker.operands(new Module(() -> {
            looking.countDown();
            new CountDownLatch(1).await();
            return List.of();
        })));
        Thread.ofVirtual().start(found);
        assertThat(looking.await(60, TimeUnit.SECONDS)).isTrue();

        worker.running.revoke(0, 1);

        assertThat(found.get(60, TimeUnit.SECONDS)).isEqualTo(new OperandInquiry.Found.Left());
    }
}
