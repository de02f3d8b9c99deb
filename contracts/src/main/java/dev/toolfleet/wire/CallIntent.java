package dev.toolfleet.wire;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Intent of a worker to start a handler whose effects must not happen twice, or to run one while its partition may
/// move; on `tool.journal`.
///
/// @param identity the call's identity
/// @param fingerprint of name and arguments
/// @param worker the worker that starts it
/// @param epoch of the worker's assignment
/// @param member the consumer group's member id of the process that starts it: the call can still run only while that
///        member is in the group. Absent when the writer left it out
/// @param deadline the end of the handler's time; absent when the writer left it out
/// @param tool the declaration that runs, so that an heir uses the same module; absent when the writer left it out, or
///        has taken the call and chosen none yet
/// @param repeatable true for a call that may run twice and runs on while its partition moves: an heir waits for its
///        end, and runs it again when there is none; absent for any other
/// @param calledAt the time at which the broker appended the call. With its offset it distinguishes the record from a
///        later one at the same offset; absent when the writer left it out
/// @param deaths number of workers that died before while they had the call; absent for none
/// @param heir the member id of the later owner that decides about this start; absent while none does
/// @param spends the amounts that the call has spent of budgets; absent for none
public record CallIntent(String identity, String fingerprint, String toolName, int attempt, String worker, long epoch,
        Instant startedAt, @Nullable String member, @Nullable Instant deadline, @Nullable ToolRef tool,
        @Nullable Boolean repeatable, @Nullable Instant calledAt, @Nullable Integer deaths, @Nullable String heir,
        @Nullable List<SpentBudget> spends)
        implements
            JournalEntry {
    private static final Duration CENTURY = Duration.ofDays(36_500);

    /// Checks that call, worker and time are present.
    public CallIntent {
        requireNonNull(identity, "identity");
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(toolName, "toolName");
        requireNonNull(worker, "worker");
        requireNonNull(startedAt, "startedAt");
        if (deaths != null && deaths < 1)
            throw new IllegalArgumentException("deaths must be at least 1, got " + deaths);
        spends = spends == null ? null : List.copyOf(spends);
    }

    /// Makes an intent of a call that spends of no budget.
    public CallIntent(String identity, String fingerprint, String toolName, int attempt, String worker, long epoch,
            Instant startedAt, @Nullable String member, @Nullable Instant deadline, @Nullable ToolRef tool,
            @Nullable Boolean repeatable, @Nullable Instant calledAt, @Nullable Integer deaths,
            @Nullable String heir) {
        this(identity, fingerprint, toolName, attempt, worker, epoch, startedAt, member, deadline, tool, repeatable,
                calledAt, deaths, heir, null);
    }

    /// Makes an intent of a call that must not run twice, without the append time of its call.
    public CallIntent(String identity, String fingerprint, String toolName, int attempt, String worker, long epoch,
            Instant startedAt, @Nullable String member, @Nullable Instant deadline, @Nullable ToolRef tool) {
        this(identity, fingerprint, toolName, attempt, worker, epoch, startedAt, member, deadline, tool, null, null,
                null, null);
    }

    /// Returns the longest time that the call may run after its intent was written; zero when the writer left the
    /// deadline out. Both instants are of the writer's clock, so this holds for a reader whose clock differs. At most a
    /// hundred years.
    public Duration longestRun() {
        if (deadline == null || deadline.isBefore(startedAt))
            return Duration.ZERO;
        Duration longest = Duration.between(startedAt, deadline);
        return longest.compareTo(CENTURY) < 0 ? longest : CENTURY;
    }

    /// True if the call may run twice.
    public boolean mayRunTwice() {
        return Boolean.TRUE.equals(repeatable);
    }

    /// Returns the member id of the process that has the call now; null when the writer left it out.
    public @Nullable String decider() {
        return heir == null ? member : heir;
    }

    /// Returns the same start with a later owner that decides about it; null leaves the decision to the next.
    ///
    /// @param died number of workers that died while they had the call
    public CallIntent inheritedBy(@Nullable String member, int died) {
        return new CallIntent(identity, fingerprint, toolName, attempt, worker, epoch, startedAt, this.member, deadline,
                tool, repeatable, calledAt, died == 0 ? null : died, member, spends);
    }

    /// Returns the same start with other amounts.
    public CallIntent spending(List<SpentBudget> amounts) {
        return new CallIntent(identity, fingerprint, toolName, attempt, worker, epoch, startedAt, member, deadline,
                tool,
                repeatable, calledAt, deaths, heir, amounts.isEmpty() ? null : amounts);
    }

    /// Returns the amounts that the call has spent of budgets.
    public List<SpentBudget> spent() {
        return spends == null ? List.of() : spends;
    }

    /// True if a handler may have started: not before one was chosen.
    public boolean mayHaveStarted() {
        return !mayRunTwice() || tool != null;
    }

    /// Number of workers that died before while they had the call.
    public int deathsBefore() {
        return deaths == null ? 0 : deaths;
    }

    @Override
    public String key() {
        return identity;
    }

    /// True if an earlier owner's record is about this very intent. Another start of the call, by another process or
    /// under another assignment, does not count.
    public boolean isMeantBy(HandOver said) {
        return said.identity().equals(identity) && said.member().equals(member) && said.epoch() == epoch
                && said.attempt() == attempt;
    }
}
