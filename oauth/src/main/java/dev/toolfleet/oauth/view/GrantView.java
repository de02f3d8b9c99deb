package dev.toolfleet.oauth.view;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.wire.OAuthGrant;
import dev.toolfleet.wire.OAuthSession;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Newest grants and authorizations, as a reader of `oauth.grant` and `oauth.session` has seen them.
///
/// **Threads.** Thread-safe. The reader's thread applies records; any thread looks, and may wait for a change.
public final class GrantView {
    private static final WireCodec<OAuthGrant> GRANTS = WireCodec.of(OAuthGrant.class);
    private static final WireCodec<OAuthSession> SESSIONS = WireCodec.of(OAuthSession.class);

    private final Map<String, OAuthGrant> grants = new ConcurrentHashMap<>();
    private final Map<String, OAuthSession> sessions = new ConcurrentHashMap<>();
    private final List<Consumer<String>> followers = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Makes a view that has seen nothing.
    public GrantView() {}

    /// Applies a record of `oauth.grant`.
    ///
    /// @param value null for a tombstone
    /// @throws WireFormatException when it is no grant
    public void grant(String key, byte @Nullable [] value) {
        if (value == null)
            grants.remove(key);
        else
            grants.put(key, GRANTS.read(value));
        followers.forEach(follower -> follower.accept(key));
        changed();
    }

    /// Calls with the id of each grant that changes, on the reader's thread.
    void follow(Consumer<String> follower) {
        followers.add(follower);
    }

    /// Applies a record of `oauth.session`.
    ///
    /// @param value null for a tombstone
    /// @throws WireFormatException when it is no authorization
    public void session(String key, byte @Nullable [] value) {
        if (value == null)
            sessions.remove(key);
        else
            sessions.put(key, SESSIONS.read(value));
        changed();
    }

    /// Returns a grant.
    public Optional<OAuthGrant> grant(String grantId) {
        return Optional.ofNullable(grants.get(grantId));
    }

    /// Returns all grants, in no order.
    public List<OAuthGrant> grants() {
        return List.copyOf(grants.values());
    }

    /// Returns an authorization.
    public Optional<OAuthSession> session(String sessionId) {
        return Optional.ofNullable(sessions.get(sessionId));
    }

    /// Returns the authorization that took an order.
    Optional<OAuthSession> took(String grantId, String orderId) {
        return session(orderId).or(() -> sessions.values().stream()
                .filter(session -> session.grantId().equals(grantId) && session.took(orderId)).findFirst());
    }

    /// Returns the first answer of `look` that is not empty. It looks again after each change.
    ///
    /// @return empty after `atMost`
    public <T> Optional<T> await(Supplier<Optional<T>> look, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            Optional<T> found = look.get();
            while (found.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
                found = look.get();
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    private void changed() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
