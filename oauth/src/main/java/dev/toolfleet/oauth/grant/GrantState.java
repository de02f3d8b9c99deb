package dev.toolfleet.oauth.grant;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import org.jspecify.annotations.Nullable;

/// All that the owner keeps of one grant. Immutable; its secrets are sealed.
///
/// @param grant null before the first authorization
/// @param sessions authorizations, open ones and those that ended lately
/// @param tasks requests that have no answer yet
public record GrantState(@Nullable OAuthGrant grant, List<OAuthSession> sessions, List<GrantTask> tasks) {
    /// The time for which an authorization that has ended is kept, so that a late callback is told why it is refused.
    static final Duration REMEMBERED = Duration.ofHours(1);
    /// Nothing.
    public static final GrantState NONE = new GrantState(null, List.of(), List.of());

    /// Copies the lists.
    public GrantState {
        sessions = sessions == null ? List.of() : List.copyOf(sessions);
        tasks = tasks == null ? List.of() : List.copyOf(tasks);
    }

    /// True if nothing has to be kept.
    public boolean isEmpty() {
        return grant == null && sessions.isEmpty() && tasks.isEmpty();
    }

    /// Returns the time at which something is to be done without an order; empty for never.
    public Optional<Instant> due() {
        return Stream.concat(tasks.stream().map(GrantTask::dueAt), sessions.stream().map(GrantState::end))
                .min(Instant::compareTo);
    }

    /// The time of an authorization's next change by itself.
    static Instant end(OAuthSession session) {
        // One whose code is being exchanged ends with the answer.
        return session.status() == OAuthSession.Status.PENDING
                ? session.expiresAt()
                : session.expiresAt().plus(REMEMBERED);
    }

    Optional<OAuthSession> session(@Nullable String sessionId) {
        return sessions.stream().filter(session -> session.sessionId().equals(sessionId)).findFirst();
    }

    GrantState with(OAuthGrant next) {
        return new GrantState(next, sessions, tasks);
    }

    GrantState with(OAuthSession session) {
        List<OAuthSession> next = new ArrayList<>(sessions);
        next.removeIf(other -> other.sessionId().equals(session.sessionId()));
        next.add(session);
        return new GrantState(grant, next, tasks);
    }

    GrantState without(OAuthSession session) {
        return new GrantState(grant, sessions.stream().filter(other -> !other.equals(session)).toList(), tasks);
    }

    GrantState with(GrantTask task) {
        List<GrantTask> next = new ArrayList<>(tasks);
        next.removeIf(other -> other.id().equals(task.id()));
        next.add(task);
        return new GrantState(grant, sessions, next);
    }

    GrantState withoutTask(String id) {
        return new GrantState(grant, sessions, tasks.stream().filter(task -> !task.id().equals(id)).toList());
    }

    GrantState without(ServerRequest.Kind kind) {
        return new GrantState(grant, sessions, tasks.stream().filter(task -> task.kind() != kind).toList());
    }

    Optional<GrantTask> task(String id) {
        return tasks.stream().filter(task -> task.id().equals(id)).findFirst();
    }
}
