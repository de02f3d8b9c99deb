package dev.toolfleet.worker.call;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.record.OutcomesFixture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Whether a model may be told to try again after a layer has failed.
class CallRunTest extends OutcomesFixture {
    private static final ToolRef REF = new ToolRef("acme", "t", "run");

    @Test
    void aCallThatNeverReachedItsToolMayBeRepeated() {
        CallRun run = run();

        assertThat(run.mayNotRepeat()).isFalse();
        run.handlerMillis(3);
        assertThat(run.mayNotRepeat()).as("no tool").isFalse();
    }

    @Test
    void aCallWhoseHandlerHasNotBegunMayBeRepeated() {
        assertThat(of(false).mayNotRepeat()).isFalse();
    }

    @Test
    void aCallWhoseHandlerHasEndedMayNotBeRepeated() {
        CallRun run = of(false);
        run.handlerMillis(3);

        assertThat(run.mayNotRepeat()).isTrue();
    }

    // Its handler was given up and runs on.
    @Test
    void aCallWhoseStartIsNotedMayNotBeRepeated() {
        CallRun run = of(false);
        run.intent(new CallIntent("id", "sha", "t__run", 1, "w1", 7, NOW, "m1", null, REF));

        assertThat(run.mayNotRepeat()).isTrue();
    }

    @Test
    void aCallOfAToolThatMayRunTwiceMayBeRepeated() {
        CallRun run = of(true);
        run.handlerMillis(3);
        run.intent(new CallIntent("id", "sha", "t__run", 1, "w1", 7, NOW, "m1", null, REF));

        assertThat(run.mayNotRepeat()).isFalse();
    }

    private static CallRun of(boolean idempotent) {
        CallRun run = run();
        run.tool(TestResources.registered(idempotent), REF);
        return run;
    }
}
