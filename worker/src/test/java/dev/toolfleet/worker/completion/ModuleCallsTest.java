package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ModuleCallsTest {
    private static final CallPlace PLACE = new CallPlace(3, 7);
    private final BlockingQueue<ModuleAnswer> answers = new LinkedBlockingQueue<>();

    private interface Asking {
        @Nullable
        PollAnswer ask(PendingWork work) throws Exception;
    }

    private static HandleModules module(Asking asking) {
        return new HandleModules() {
            @Override
            public Optional<PollSpec> poll(ToolRef tool) {
                return Optional.empty();
            }

            @Override
            public boolean sensitive(ToolRef tool) {
                return false;
            }

            @Override
            @SuppressWarnings("NullAway") // a module may answer what it must not
            public PollAnswer ask(ToolRef tool, PendingWork work) throws Exception {
                return asking.ask(work);
            }

            @Override
            public void cancel(ToolRef tool, PendingWork work) throws Exception {
                asking.ask(work);
            }

            @Override
            public Progress shown(PendingCall call, Progress progress) {
                return progress;
            }
        };
    }

    private ModuleAnswer answer(Asking asking) throws InterruptedException {
        return answer(HandleTimer.Effect.QUESTION, Handles.waiting(7), new ModuleCalls(module(asking)));
    }

    private ModuleAnswer answer(HandleTimer.Effect what, PendingCall call, ModuleCalls calls)
            throws InterruptedException {
        try (calls) {
            assertThat(calls.start(what, call, answers::add)).isTrue();
            ModuleAnswer answer = answers.poll(60, TimeUnit.SECONDS);
            assertThat(answer).isNotNull();
            return answer;
        }
    }

    private static Completion found(ModuleAnswer answer) {
        assertThat(answer).isInstanceOf(ModuleAnswer.Found.class);
        return ((ModuleAnswer.Found) answer).completion();
    }

    @Test
    void aModuleAnswersWhatBecameOfTheWork() throws Exception {
        ModuleAnswer done = answer(work -> PollAnswer.completed(Map.of("project", work.input().path("project"))));
        assertThat(found(done).output()).hasToString("{\"project\":\"p\"}");
        assertThat(done.call()).isEqualTo(PLACE);

        Completion failed = found(answer(work -> PollAnswer.failed(new ToolException("E_BUILD", "broken"))));
        assertThat(failed.error()).isNotNull().extracting(ToolError::code, ToolError::message)
                .containsExactly("E_BUILD", "broken");

        assertThat(found(answer(work -> PollAnswer.running(40.0, "half"))).progress()).isNotNull();
    }

    @Test
    void whatNoRecordTakesIsAnErrorThatSaysSo() throws Exception {
        Completion large = found(answer(work -> PollAnswer.completed("x".repeat(RawRecord.MAX_BYTES))));
        assertThat(large.error()).isNotNull().extracting(ToolError::code).isEqualTo("E_TOOL_RESULT_TOO_LARGE");

        Map<String, Object> endless = new HashMap<>();
        endless.put("self", endless);
        Completion odd = found(answer(work -> PollAnswer.completed(endless)));
        assertThat(odd.error()).isNotNull().extracting(ToolError::code).isEqualTo("E_TOOL_RESULT_INVALID");
    }

    @Test
    void aModuleThatThrowsOrSaysNothingDoesNotKnow() throws Exception {
        ModuleAnswer silent = new ModuleAnswer.Silent(PLACE);

        assertThat(answer(work -> {
            throw new LinkageError("test");
        })).isEqualTo(silent);
        assertThat(answer(work -> null)).isEqualTo(silent);
        assertThat(answer(work -> PollAnswer.running(400.0, null))).isEqualTo(silent);
    }

    @Test
    void aModuleThatFailsToCancelWasToldNevertheless() throws Exception {
        assertThat(answer(HandleTimer.Effect.TELL, Handles.waiting(7), new ModuleCalls(module(work -> {
            throw new IllegalStateException("test");
        })))).isEqualTo(new ModuleAnswer.Informed(PLACE));
    }

    @Test
    void aModuleThatTakesTooLongIsInterruptedAndDoesNotKnow() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        ModuleCalls calls = new ModuleCalls(module(work -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return null;
        }), Duration.ofMillis(1));

        assertThat(answer(HandleTimer.Effect.QUESTION, Handles.waiting(7), calls))
                .isEqualTo(new ModuleAnswer.Silent(PLACE));
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void soManyAreAskedAtATimeAndNoMore() {
        CountDownLatch released = new CountDownLatch(1);
        try (ModuleCalls calls = new ModuleCalls(module(work -> {
            released.await();
            return PollAnswer.running();
        }))) {
            for (int i = 0; i < ModuleCalls.MOST; i++)
                assertThat(calls.start(HandleTimer.Effect.QUESTION, Handles.waiting(i), answers::add)).isTrue();
            assertThat(calls.start(HandleTimer.Effect.QUESTION, Handles.waiting(99), answers::add)).isFalse();

            released.countDown();
            await().atMost(Duration.ofMinutes(1)).until(() -> answers.size() == ModuleCalls.MOST);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> calls.start(HandleTimer.Effect.QUESTION, Handles.waiting(99), answers::add));
        }
    }

    @Test
    void aModuleThatIgnoresItsInterruptsIsNotCalledWithoutEndUntilItReturns() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        try (ModuleCalls calls = new ModuleCalls(module(work -> {
            begun.incrementAndGet();
            while (true) {
                try {
                    released.await();
                    return PollAnswer.running();
                } catch (InterruptedException e) {
                    // Ignored, as asked.
                }
            }
        }), Duration.ofMillis(1), Duration.ofMillis(1))) {
            for (int i = 0; i < ModuleCalls.MOST_HUNG + 5; i++) {
                assertThat(calls.start(HandleTimer.Effect.QUESTION, Handles.waiting(7), answers::add)).isTrue();
                assertThat(answers.poll(60, TimeUnit.SECONDS)).isEqualTo(new ModuleAnswer.Silent(PLACE));
            }
            assertThat(begun.get()).isLessThanOrEqualTo(ModuleCalls.MOST_HUNG);

            released.countDown();
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                int before = begun.get();
                calls.start(HandleTimer.Effect.QUESTION, Handles.waiting(7), answers::add);
                answers.poll(60, TimeUnit.SECONDS);
                return begun.get() > before;
            });
        }
    }

    @Test
    void aCallThatRanNoToolHasNobodyToAsk() throws Exception {
        PendingCall call = Handles.waiting(7);
        PendingCall own = new PendingCall(call.handle(), call.kind(), call.call(), 3, 7, null, null, call.deadline(),
                null, null, call.createdAt(), null);

        assertThat(answer(HandleTimer.Effect.QUESTION, own, new ModuleCalls(module(work -> PollAnswer.running()))))
                .isEqualTo(new ModuleAnswer.Silent(PLACE));
    }
}
