package dev.toolfleet.session.message;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.toolfleet.wire.MessageCompaction;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionLease;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Rules by which events change the messages of a session.
///
/// **Contract.** Events are applied in the order of their records. An event with another `expectedSeq`, or under an old
/// lease, changes nothing. An unknown target never stops the session.
///
/// **Threads.** Pure functions.
///
/// **Why.** Two runtimes that write the same turn would interleave: the first appends its call, the second its own, and
/// each result then follows the wrong one. `expectedSeq` refuses the second writer's first event, a lease its whole turn.
public final class MessageFold {
    /// Error code of [Refused].
    public static final String CONFLICT = "E_SESSION_CONFLICT";
    /// Error code of [TargetMissing].
    public static final String TARGET_NOT_FOUND = "E_MESSAGE_TARGET_NOT_FOUND";

    private MessageFold() {}

    /// Effect of an event.
    public sealed interface Change {}

    /// Adds a message at the end.
    public record Added(SessionMessage message) implements Change {}

    /// Puts a message in the place of another.
    public record Replaced(String targetId, SessionMessage message) implements Change {}

    /// Removes a message.
    public record Removed(String targetId) implements Change {}

    /// Removes all messages.
    public record Emptied() implements Change {}

    /// Makes messages shorter, and puts a summary in the place of one.
    ///
    /// @param targetId the message in whose place the summary stands; null without a summary
    /// @param summary null without a summary
    public record Compacted(@Nullable String targetId, @Nullable SessionMessage summary,
            MessageCompaction messages) implements Change {}

    /// Requests a compaction.
    public record CompactionRequested() implements Change {}

    /// Gives the lease, or takes it back.
    ///
    /// @param lease the new lease; null when it was given back
    public record Leased(@Nullable SessionLease lease) implements Change {}

    /// Repeats an event that was applied before.
    public record Repeated() implements Change {}

    /// Names a message that is not there.
    public record TargetMissing(String targetId) implements Change {}

    /// Must not change the session.
    ///
    /// @param reason one sentence for the writer
    public record Refused(String reason) implements Change {}

    /// Decides about an event.
    ///
    /// @param state the session before the event; absent for a new one
    /// @param known returns true for ids of the session's messages
    /// @param now the time of the event's record
    public static Change decide(@Nullable SessionState state, MessageEvent event, Predicate<String> known,
            Instant now) {
        if (event.type() == MessageEvent.Type.APPEND && known.test(requireNonNull(event.message()).id()))
            return new Repeated();
        long seq = state == null ? 0 : state.seq();
        if (event.expectedSeq() != null && event.expectedSeq() != seq)
            return new Refused("expectedSeq is " + event.expectedSeq() + ", and the session has " + seq
                    + "; read its messages and decide anew");
        SessionLease lease = state == null || state.lease() == null || !now.isBefore(state.lease().until())
                ? null
                : state.lease();
        if (event.type() == MessageEvent.Type.LEASE)
            return lease(state, event, lease, now);
        Optional<String> refusal = refusal(event, lease);
        if (refusal.isPresent())
            return new Refused(refusal.get());
        return switch (event.type()) {
            case APPEND -> new Added(requireNonNull(event.message()));
            case REPLACE -> replace(requireNonNull(event.targetId()), requireNonNull(event.message()), known);
            case REMOVE -> known.test(requireNonNull(event.targetId()))
                    ? new Removed(event.targetId())
                    : new TargetMissing(event.targetId());
            case TRUNCATE -> new Emptied();
            case COMPACT -> new CompactionRequested();
            case COMPACTED -> compacted(event, requireNonNull(event.compaction()), known);
            case LEASE -> throw new IllegalStateException("decided before");
        };
    }

    private static Change replace(String targetId, SessionMessage message, Predicate<String> known) {
        if (!known.test(targetId))
            return new TargetMissing(targetId);
        return message.id().equals(targetId) || !known.test(message.id())
                ? new Replaced(targetId, message)
                : new Refused("another message has the id '" + message.id() + "' of the new one");
    }

    /// All or nothing: a compaction of messages that have changed since is none.
    private static Change compacted(MessageEvent event, MessageCompaction messages, Predicate<String> known) {
        Stream<String> summarized = Stream.ofNullable(event.targetId());
        Stream<String> shortened = messages.shortened().stream().map(SessionMessage::id);
        List<String> named = Stream.of(summarized, messages.removed().stream(), shortened).flatMap(ids -> ids)
                .toList();
        Optional<String> missing = named.stream().filter(known.negate()).findFirst();
        if (missing.isPresent())
            return new TargetMissing(missing.get());
        if (new HashSet<>(named).size() < named.size())
            return new Refused("the compaction names a message twice");
        SessionMessage summary = event.message();
        if (summary != null && !summary.id().equals(event.targetId()) && known.test(summary.id()))
            return new Refused("another message has the id '" + summary.id() + "' of the summary");
        return new Compacted(event.targetId(), summary, messages);
    }

    /// Results and news of the fleet pass: they belong to calls that were made under an earlier lease, too. So do
    /// compactions, which name each message that they change.
    private static Optional<String> refusal(MessageEvent event, @Nullable SessionLease lease) {
        SessionMessage message = event.message();
        MessageSource.Type source = message == null ? null : message.source().type();
        boolean compacts = event.type() == MessageEvent.Type.COMPACT || event.type() == MessageEvent.Type.COMPACTED;
        if (lease == null || compacts || source == MessageSource.Type.TOOL || source == MessageSource.Type.EXTENSION)
            return Optional.empty();
        if (event.token() != null && event.token() == lease.token())
            return Optional.empty();
        return Optional.of((event.token() == null
                ? "the event has no lease"
                : "the event's lease " + event.token()
                        + " is over")
                + ", and " + lease.holder() + " holds lease " + lease.token() + " until " + lease.until());
    }

    private static Change lease(@Nullable SessionState state, MessageEvent event, @Nullable SessionLease lease,
            Instant now) {
        if (lease != null && !lease.holder().equals(event.by()))
            return new Refused(lease.holder() + " holds lease " + lease.token() + " until " + lease.until());
        long length = requireNonNull(event.leaseMs());
        if (length == 0)
            return new Leased(null);
        long token = lease != null ? lease.token() : (state == null ? 0 : state.lastToken()) + 1;
        return new Leased(new SessionLease(event.by(), token, now.plusMillis(length)));
    }
}
