package dev.toolfleet.wire;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A worker is about to start a handler whose effects must not happen twice, or runs one that may while its partition
/// moves, on `tool.journal`.
///
/// @param identity the call's identity
/// @param fingerprint of name and arguments
/// @param worker who starts it
/// @param epoch of the worker's assignment
/// @param member the consumer group's member id of the process that starts it: only while that member is in the group
///        can the call still run; absent when the writer did not say
/// @param deadline until when the handler may run; absent when the writer did not say
/// @param tool which declaration is run, so that an heir asks the same module; absent when the writer did not say, or has
///        taken the call and chosen none yet
/// @param repeatable true for a call that may run twice and runs on while its partition moves: an heir waits for its end,
///        and runs it again when there is none; absent for any other
/// @param calledAt when the broker appended the call: with its offset it tells the record from another one that came to
///        lie there later; absent when the writer did not say
/// @param deaths how many workers died before while they had the call; absent for none
/// @param heir the member id of the later owner that decides about this start; absent while none does
public record CallIntent(String identity, String fingerprint, String toolName, int attempt, String worker, long epoch,
        Instant startedAt, @Nullable String member, @Nullable Instant deadline, @Nullable ToolRef tool,
        @Nullable Boolean repeatable, @Nullable Instant calledAt, @Nullable Integer deaths, @Nullable String heir)
        implements
            JournalEntry {
    private static final Duration CENTURY = Duration.ofDays(36_500);

    /// Checks that the intent names call, worker and time.
    public CallIntent {
        requireNonNull(identity, "identity");
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(toolName, "toolName");
        requireNonNull(worker, "worker");
        requireNonNull(startedAt, "startedAt");
        if (deaths != null && deaths < 1)
            throw new IllegalArgumentException("deaths must be at least 1, got " + deaths);
    }

    /// An intent of a call that must not run twice, which does not say when its call was appended.
    public CallIntent(String identity, String fingerprint, String toolName, int attempt, String worker, long epoch,
            Instant startedAt, @Nullable String member, @Nullable Instant deadline, @Nullable ToolRef tool) {
        this(identity, fingerprint, toolName, attempt, worker, epoch, startedAt, member, deadline, tool, null, null,
                null, null);
    }

    /// The longest time that the call may run after its intent was written; zero when the writer did not say. Both instants
    /// are of the writer's clock, so this holds for a reader whose clock differs. No longer than a hundred years.
    public Duration longestRun() {
        if (deadline == null || deadline.isBefore(startedAt))
            return Duration.ZERO;
        Duration longest = Duration.between(startedAt, deadline);
        return longest.compareTo(CENTURY) < 0 ? longest : CENTURY;
    }

    /// Whether the call may run twice.
    public boolean mayRunTwice() {
        return Boolean.TRUE.equals(repeatable);
    }

    /// The member id of the process that has the call now; null when the writer did not say.
    public @Nullable String decider() {
        return heir == null ? member : heir;
    }

    /// The same start, about which a later owner decides; null for one that leaves the decision to the next.
    ///
    /// @param died how many workers died while they had the call
    public CallIntent inheritedBy(@Nullable String member, int died) {
        return new CallIntent(identity, fingerprint, toolName, attempt, worker, epoch, startedAt, this.member, deadline,
                tool, repeatable, calledAt, died == 0 ? null : died, member);
    }

    /// Whether a handler may have started: not before one was chosen.
    public boolean mayHaveStarted() {
        return !mayRunTwice() || tool != null;
    }

    /// How many workers died before while they had the call.
    public int deathsBefore() {
        return deaths == null ? 0 : deaths;
    }

    @Override
    public String key() {
        return identity;
    }

    /// Whether what an earlier owner said is about this very intent: another start of the call, by another process or
    /// under another assignment, says nothing of this one.
    public boolean isMeantBy(HandOver said) {
        return said.identity().equals(identity) && said.member().equals(member) && said.epoch() == epoch
                && said.attempt() == attempt;
    }
}
