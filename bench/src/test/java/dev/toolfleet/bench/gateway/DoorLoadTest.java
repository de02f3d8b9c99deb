package dev.toolfleet.bench.gateway;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class DoorLoadTest {
    private final DoorLoad load = new DoorLoad(3);
    private final Set<Integer> numbers = ConcurrentHashMap.newKeySet();

    /// Answer to one call.
    private interface Answer {
        boolean to(Door.Load call) throws InterruptedException;
    }

    private Door door(Answer answer) {
        return new Door() {
            @Override
            public String name() {
                return "fake";
            }

            @Override
            public boolean call(Load call) throws InterruptedException {
                assertThat(call.text()).hasSize(3);
                assertThat(numbers.add(call.number())).as("a number of its own").isTrue();
                return answer.to(call);
            }

            @Override
            public void close() {}
        };
    }

    @Test
    @Timeout(60)
    void evenlyComingCallsDoNotWaitForThoseBefore() throws Exception {
        CountDownLatch all = new CountDownLatch(20);
        DoorLoad.Answers answers = load.open(door(call -> {
            all.countDown();
            all.await();
            return true;
        }), 200, Duration.ofMillis(100));

        assertThat(answers.times().count()).as("all at once").isEqualTo(20);
        assertThat(answers.failed()).isZero();
        assertThat(load.calls()).isEqualTo(20);
    }

    @Test
    void aCallWithoutItsOwnAnswerFailsAndHasNoTime() throws Exception {
        DoorLoad.Answers answers = load.open(door(call -> call.number() % 2 == 0), 1000, Duration.ofMillis(10));

        assertThat(answers.failed()).isEqualTo(5);
        assertThat(answers.times().count()).isEqualTo(5);
    }

    @Test
    @Timeout(60)
    void aClientWithoutPauseMakesItsNextCallAfterItsAnswer() throws Exception {
        AtomicInteger atWork = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        DoorLoad.Answers answers = load.closed(door(call -> {
            most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
            Thread.sleep(1);
            atWork.decrementAndGet();
            return call.number() > 0;
        }), 3, Duration.ofMillis(50));

        assertThat(most.get()).isBetween(1, 3);
        assertThat(answers.failed()).as("the first one").isEqualTo(1);
        assertThat(answers.perSecond()).isPositive();
    }
}
