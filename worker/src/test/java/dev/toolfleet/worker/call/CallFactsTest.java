package dev.toolfleet.worker.call;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.record.OutcomeRecordsFixture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Whether a model may be told to try again after a layer has failed.
class CallFactsTest extends OutcomeRecordsFixture {
    private static final ToolRef REF = new ToolRef("acme", "t", "run");

    @Test
    void aCallThatNeverReachedItsToolMayBeRepeated() {
        Identified call = run();

        assertThat(call.mayNotRepeat()).isFalse();
        assertThat(CallFacts.Ended.after(call, 3).mayNotRepeat()).as("no tool").isFalse();
    }

    @Test
    void aCallWhoseHandlerHasNotBegunMayBeRepeated() {
        assertThat(of(false).mayNotRepeat()).isFalse();
    }

    @Test
    void aCallWhoseHandlerHasEndedMayNotBeRepeated() {
        assertThat(CallFacts.Ended.after(of(false), 3).mayNotRepeat()).isTrue();
    }

    // Its handler was given up and runs on.
    @Test
    void aCallWhoseStartIsNotedMayNotBeRepeated() {
        CallFacts call = of(false);
        call.course().noted(new CallIntent("id", "sha", "t__run", 1, "w1", 7, NOW, "m1", null, REF));

        assertThat(call.mayNotRepeat()).isTrue();
    }

    @Test
    void aCallOfAToolThatMayRunTwiceMayBeRepeated() {
        CallFacts call = CallFacts.Ended.after(of(true), 3);
        call.course().noted(new CallIntent("id", "sha", "t__run", 1, "w1", 7, NOW, "m1", null, REF));

        assertThat(call.mayNotRepeat()).isFalse();
    }

    @Test
    void aStageKnowsWhatTheStagesBeforeItKnew() {
        Recalled recalled = run().recalledBy(null).after(1).at(3).endsBy("h-1");
        CallFacts.Judged judged = new CallFacts.Judged(recalled, null, "catalog", "policy", 7);
        CallFacts call = CallFacts.Ended.after(new CallFacts.Started(new CallFacts.Ruled(judged,
                new Ruling.Allowed(Ruling.Basis.NONE)), 4), 12);

        assertThat(call.deaths()).isEqualTo(1);
        assertThat(call.attempt()).as("of its last start").isEqualTo(4);
        assertThat(call.waitedFor()).isEqualTo("h-1");
        assertThat(call.catalogDigest()).isEqualTo("catalog");
        assertThat(call.policyDigest()).as("a ruling without a digest").isEqualTo("policy");
        assertThat(call.errorLimit()).isEqualTo(7);
        assertThat(call.handlerMillis()).isEqualTo(12);
        assertThat(CallFacts.Ended.again(call).handlerMillis()).isEqualTo(12);
    }

    @Test
    void theLatestStageIsSeenFromEveryOther() {
        Identified first = run();
        Recalled second = first.reached(first.recalledBy(null));

        assertThat(first.now()).isSameAs(second);
        assertThat(second.reached(second.after(2)).now().deaths()).isEqualTo(2);
        assertThat(first.now().deaths()).isEqualTo(2);
    }

    private static CallFacts of(boolean idempotent) {
        return TestCalls.allowed(run(), TestResources.registered(idempotent), REF);
    }
}
