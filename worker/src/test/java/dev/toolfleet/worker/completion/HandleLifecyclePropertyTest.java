package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import static dev.toolfleet.worker.completion.Handles.ASKED;
import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.approve;
import static dev.toolfleet.worker.completion.Handles.asking;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.decided;
import static dev.toolfleet.worker.completion.Handles.failed;
import static dev.toolfleet.worker.completion.Handles.progress;
import static dev.toolfleet.worker.completion.Handles.reject;
import static dev.toolfleet.worker.completion.Handles.said;
import static dev.toolfleet.worker.completion.Handles.unwanted;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static org.assertj.core.api.Assertions.assertThat;

/// One handle through random events, under a clock that moves by random steps, beside a count of what was said of whom.
class HandleLifecyclePropertyTest {
    private static final PollSpec POLL = new PollSpec(Duration.ofSeconds(5), 2, Duration.ofMinutes(10));

    private static final class Model {
        private final Random random;
        /// Outcomes and grants: a call has one of either.
        private final Map<CallPlace, Integer> outcomes = new HashMap<>();
        private int audited;
        private int approvalsEnded;
        private HandleLifecycle state = UnknownHandle.HANDLE;
        private Instant now = START;
        private boolean closed;
        private long lastCall;

        Model(long seed) {
            random = new Random(seed);
        }

        private DecisionContext moment() {
            return new DecisionContext(now, random.nextInt(4) == 0 ? Optional.empty() : Optional.of(POLL));
        }

        void event() {
            int kind = random.nextInt(10);
            if (kind < 3) {
                PendingCall call = pending();
                // The newest record on the topic is not a tombstone any more.
                closed = false;
                take(state.pended(call, moment()));
            } else if (kind < 7) {
                take(state.told(told(), moment()));
            } else if (kind == 7) {
                take(state.answered(answer(), moment()));
            } else {
                now = now.plusMillis((long) Math.pow(10, 1 + random.nextDouble() * 8));
            }
            dues();
        }

        /// A call's own record comes once; what is read again is the holder's, as the topology or its worker repeats it.
        private PendingCall pending() {
            if (random.nextInt(3) == 0 && state instanceof PendingHandle open)
                return open.call();
            if (random.nextInt(3) == 0 && state instanceof EndedHandle ended)
                return waiting(ended.call().offset());
            lastCall++;
            if (random.nextInt(3) == 0)
                return asking(lastCall);
            return waiting(lastCall, random.nextInt(5) == 0 ? PendingCall.Kind.APPROVAL : PendingCall.Kind.ASYNC,
                    random.nextBoolean() ? Duration.ofSeconds(30) : null, random.nextInt(3) == 0 ? "secret" : null);
        }

        private HandleMessage told() {
            return switch (random.nextInt(8)) {
                case 6 -> decided(approve());
                case 7 -> decided(reject());
                case 0 -> said(progress(random.nextInt(100), "m"));
                case 1 -> said(failed("no"));
                case 2 -> unwanted(random.nextInt(3) == 0 ? "other" : CONVERSATION);
                case 3 -> said(completed("secret"));
                case 4 -> said(completed("guess" + random.nextInt(3)));
                default -> said(completed(null));
            };
        }

        private ModuleAnswer answer() {
            CallPlace place = CallPlace.of(waiting(Math.max(0, lastCall - random.nextInt(2))));
            return switch (random.nextInt(4)) {
                case 0 -> new ModuleAnswer.Silent(place);
                case 1 -> new ModuleAnswer.Informed(place);
                case 2 -> new ModuleAnswer.Found(place, progress(1, null));
                default -> new ModuleAnswer.Found(place, completed(null));
            };
        }

        /// As the processor does: all that is due, the earliest first.
        private void dues() {
            for (int i = 0; i < 100; i++) {
                Optional<HandleTimer> due = state.dues().stream().filter(one -> one.isReached(now))
                        .min((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
                if (due.isEmpty())
                    return;
                HandleLifecycle.Transition step = state.due(due.get(), moment());
                assertThat(step.next().dues()).doesNotContain(due.get());
                if (due.get().what() == HandleTimer.Effect.DEADLINE)
                    assertThat(step.next()).isInstanceOf(EndedHandle.class);
                take(step);
            }
            throw new AssertionError("what is due never ends: " + state);
        }

        private void take(HandleLifecycle.Transition step) {
            HandleLifecycle before = state;
            for (HandleEffect effect : step.effects()) {
                switch (effect) {
                    case HandleEffect.Outcome outcome -> {
                        outcomes.merge(CallPlace.of(outcome.call()), 1, Integer::sum);
                        assertThat(outcome.outcome().kind()).isNotEqualTo(Completion.Kind.PROGRESS);
                        assertThat(outcome.outcome().token()).isNull();
                        if (outcome.call().kind() == PendingCall.Kind.APPROVAL
                                && outcome.how() != CallEnd.CONFLICT && outcome.how() != CallEnd.CANCELLED)
                            approvalsEnded++;
                    }
                    case HandleEffect.Approved(PendingCall call, ResumedCall.Grant grant) -> {
                        outcomes.merge(CallPlace.of(call), 1, Integer::sum);
                        assertThat(call.approval()).isEqualTo(ASKED);
                        assertThat(grant.at()).isBefore(call.deadline());
                        approvalsEnded++;
                    }
                    case HandleEffect.Audit _ -> audited++;
                    case HandleEffect.Tombstone _ -> closed = true;
                    case HandleEffect.WriteAgain(PendingCall holder) -> assertThat(before)
                            .isInstanceOfSatisfying(PendingHandle.class,
                                    open -> assertThat(open.call()).isEqualTo(holder));
                    case HandleEffect.Show _,HandleEffect.ShowCount _,HandleEffect.Letter _,HandleEffect.Ask _,HandleEffect.Tell _ -> {
                        // These are not counted.
                    }
                }
            }
            state = step.next();
            if (before instanceof PendingHandle open && !state.equals(before) && !(state instanceof PendingHandle)) {
                assertThat(state).isInstanceOf(EndedHandle.class);
                assertThat(outcomes).containsEntry(CallPlace.of(open.call()), 1);
            }
            if (state instanceof EndedHandle)
                assertThat(closed).as("what has ended is closed on the topic").isTrue();
            if (state instanceof PendingHandle open)
                assertThat(outcomes).as("what is open has no outcome").doesNotContainKey(CallPlace.of(open.call()));
            assertThat(StateCodec.read(StateCodec.write(state))).usingRecursiveComparison().isEqualTo(state);
        }
    }

    @Property(tries = 400)
    void everyCallHasAtMostOneOutcomeAndOneWithItsEnd(@ForAll long seed) {
        Model model = new Model(seed);
        for (int i = 0; i < 60; i++)
            model.event();
        Map<CallPlace, Integer> tooMany = new TreeMap<>((a, b) -> Long.compare(a.offset(), b.offset()));
        model.outcomes.forEach((call, count) -> {
            if (count > 1)
                tooMany.put(call, count);
        });
        assertThat(tooMany).isEmpty();
        assertThat(model.audited).as("every decision and expiry is an event").isEqualTo(model.approvalsEnded);

        // Whatever is open ends by its deadline at the latest.
        HandleLifecycle before = model.state;
        model.now = model.now.plus(Duration.ofDays(3));
        model.dues();
        if (before instanceof PendingHandle open)
            assertThat(model.outcomes).containsEntry(CallPlace.of(open.call()), 1);
    }
}
