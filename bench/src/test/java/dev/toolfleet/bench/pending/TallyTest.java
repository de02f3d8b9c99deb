package dev.toolfleet.bench.pending;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TallyTest {
    private final Tally tally = new Tally();

    @Test
    void aCallIsPendingOnceAndEndsOnce() {
        tally.add(result(7, ResultStatus.PENDING, "h-7", false));
        tally.add(result(7, ResultStatus.PENDING, "h-7", true));
        tally.add(result(7, ResultStatus.OK, null, false));
        tally.add(result(7, ResultStatus.OK, null, true));

        assertThat(tally.handles()).containsExactly("h-7");
        assertThat(tally.pending()).isOne();
        assertThat(tally.ended()).isOne();
        assertThat(tally.twice()).isZero();
    }

    @Test
    void aSecondFinalResultIsFound() {
        tally.add(result(3_000, ResultStatus.OK, null, false));
        tally.add(result(3_000, ResultStatus.ERROR, null, false));

        assertThat(tally.ended()).isOne();
        assertThat(tally.twice()).isOne();
        assertThat(tally.failed()).isOne();
    }

    private static ToolResult result(int call, ResultStatus status, @Nullable String handle, boolean replayed) {
        ToolError error = status == ResultStatus.ERROR ? ToolError.of(ErrorCode.E_TOOL, "it failed") : null;
        return new ToolResult(Tally.id(call), "bench__append", status, null, handle, error, "i", "bench", "t", "s", 1,
                replayed, null, 0, null, null);
    }
}
