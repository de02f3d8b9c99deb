package dev.toolfleet.worker.catalog;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class StepLookupTest {
    private static final StepCatalog NEWEST = new StepCatalog("i", "coder", "t2", "s5", 5, "sha256:five", null, "b", 1,
            null, Instant.EPOCH, false, List.of(new RecentStep("t2", "s4", "sha256:four"),
                    new RecentStep("t1", "s4", "sha256:old")));

    @Test
    void theNewestStepIsKnown() {
        assertThat(StepLookup.of(call("t2", "s5", 5), NEWEST)).isEqualTo(new StepLookup.Known("sha256:five", NEWEST));
    }

    @Test
    void anEarlierStepIsJudgedByWhatItsModelSaw() {
        assertThat(StepLookup.of(call("t2", "s4", 4), NEWEST)).isEqualTo(new StepLookup.Known("sha256:four", NEWEST));
        assertThat(StepLookup.of(call("t1", "s4", 4), NEWEST)).as("steps of different turns may share their id")
                .isEqualTo(new StepLookup.Known("sha256:old", NEWEST));
    }

    @Test
    void aCallWithoutTurnFindsTheNewestStepOfThatId() {
        assertThat(StepLookup.of(call(null, "s4", null), NEWEST))
                .isEqualTo(new StepLookup.Known("sha256:four", NEWEST));
    }

    @Test
    void aStepThatIsNoLongerRememberedIsTooOld() {
        assertThat(StepLookup.of(call("t2", "s1", 1), NEWEST)).isEqualTo(new StepLookup.TooOld(NEWEST));
    }

    @Test
    void aStepThatMayStillComeIsNotYetThere() {
        assertThat(StepLookup.of(call("t2", "s6", 6), NEWEST)).isEqualTo(new StepLookup.NotYet(NEWEST));
        assertThat(StepLookup.of(call("t3", "s1", 1), NEWEST)).as("a new turn counts anew")
                .isEqualTo(new StepLookup.NotYet(NEWEST));
        assertThat(StepLookup.of(call("t2", "s6", null), NEWEST)).isEqualTo(new StepLookup.NotYet(NEWEST));
        assertThat(StepLookup.of(call("t2", "s6", 6), null)).isEqualTo(new StepLookup.NotYet(null));
    }

    @Test
    void aCallWithoutStepIsJudgedByTheNewestCatalog() {
        assertThat(StepLookup.of(call(null, null, null), NEWEST))
                .isEqualTo(new StepLookup.Known("sha256:five", NEWEST));
        assertThat(StepLookup.of(call(null, null, null), null)).isEqualTo(new StepLookup.NotYet(null));
    }

    private static ToolCall call(@org.jspecify.annotations.Nullable String turn,
            @org.jspecify.annotations.Nullable String step, @org.jspecify.annotations.Nullable Integer index) {
        return new ToolCall("c", "t__x", JsonNodeFactory.instance.objectNode(), "i", "coder", turn, step, index, null,
                null, null, null, null, null, null);
    }
}
