package dev.toolfleet.session.lock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.json.Digests;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Write locks of sessions whose transcripts are files (seed 003, sections 4.4 and 5.3).
///
/// **Contract.** At most one run holds a session's lock. A holder's death frees the lock at once on its machine; on
/// another machine it frees it after the lease. A live holder on the same machine is never robbed. A run may acquire
/// its lock again; the last release frees it.
///
/// **Threads.** Thread-safe. One daemon thread of the object renews all leases; there are no signal handlers.
///
/// **Why.** An age limit alone lets two runs write: a run that takes longer than the limit loses its lock and does not
/// notice. The system's lock ends exactly when its process does.
public final class FileSessionLocks implements AutoCloseable {
    private static final int MAX_NAME = 150;
    private static final int MAX_ENDED = 10_000;
    /// Locks of this process by path, for all objects of this class: see [LockFile].
    private static final ConcurrentMap<Path, Hold> HOLDS = new ConcurrentHashMap<>();

    private final Path folder;
    private final LockConfig config;
    private final Clock clock;
    private final Set<String> ended = new LinkedHashSet<>();
    private final ScheduledFuture<?> renewals;
    private final ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("session-locks").factory());

    /// Time of a waiting run.
    interface Clock {
        /// The system's time and sleep.
        Clock SYSTEM = new Clock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void sleep(Duration pause) throws InterruptedException {
                Thread.sleep(pause);
            }
        };

        long nanos();

        void sleep(Duration pause) throws InterruptedException;
    }

    private FileSessionLocks(Path folder, LockConfig config, Clock clock) {
        this.folder = folder;
        this.config = config;
        this.clock = clock;
        long third = Math.max(1, config.lease().toMillis() / 3);
        renewals = renewal.scheduleWithFixedDelay(this::renewAll, third, third, TimeUnit.MILLISECONDS);
    }

    /// Opens the locks of a folder, which is made when it is absent. Two paths to one folder are the same locks.
    public static FileSessionLocks in(Path folder, LockConfig config) throws IOException {
        return in(folder, config, Clock.SYSTEM);
    }

    static FileSessionLocks in(Path folder, LockConfig config, Clock clock) throws IOException {
        Files.createDirectories(folder);
        return new FileSessionLocks(folder.toRealPath(), config, clock);
    }

    /// Acquires a session's lock, and waits for it as long as the configuration allows.
    ///
    /// @param sessionId any text but the empty one
    /// @param runId the run; the same run acquires again at once
    /// @throws IllegalArgumentException when the session's id is empty
    /// @throws IOException when the folder cannot be written
    /// @throws InterruptedException when the waiting thread is interrupted; nothing is held
    public LockResult acquire(String sessionId, String runId) throws IOException, InterruptedException {
        if (isEnded(runId))
            return new LockResult.Ended(runId);
        Path path = folder.resolve(fileName(sessionId) + ".lock");
        long deadline = clock.nanos() + config.timeout().toNanos();
        while (true) {
            LockResult result = tryAcquire(path, sessionId, runId);
            long left = deadline - clock.nanos();
            if (!(result instanceof LockResult.Busy) || left <= 0)
                return result;
            clock.sleep(Duration.ofNanos(Math.min(left, config.poll().toNanos())));
        }
    }

    /// Ends a run: it acquires nothing any more. The newest 10,000 are remembered.
    public void end(String runId) {
        synchronized (ended) {
            ended.add(runId);
            if (ended.size() > MAX_ENDED) {
                Iterator<String> oldest = ended.iterator();
                oldest.next();
                oldest.remove();
            }
        }
    }

    /// Stops the renewal. Locks that are held stay held until their process ends or they are released.
    @Override
    public void close() {
        renewals.cancel(false);
        renewal.shutdownNow();
    }

    private boolean isEnded(String runId) {
        synchronized (ended) {
            return ended.contains(runId);
        }
    }

    private LockResult tryAcquire(Path path, String sessionId, String runId) throws IOException {
        Hold mine = new Hold(this, path, runId);
        Hold other = HOLDS.putIfAbsent(path, mine);
        if (other != null) {
            return other.runId.equals(runId) && other.again()
                    ? new LockResult.Acquired(other.handle())
                    : new LockResult.Busy("run " + other.runId + " of this process");
        }
        boolean acquired = false;
        try {
            LockFile file = new LockFile(path);
            Optional<LockFile.Held> held = create(file, path, sessionId, runId);
            if (held.isEmpty()) {
                Optional<LockFile.Observed> observed = file.removeLost(config);
                if (observed.isPresent())
                    return new LockResult.Busy(observed.get().owner());
                held = create(file, path, sessionId, runId);
            }
            if (held.isEmpty())
                return new LockResult.Busy(null);
            mine.open(held.get());
            acquired = true;
            return new LockResult.Acquired(mine.handle());
        } finally {
            if (!acquired)
                HOLDS.remove(path, mine);
        }
    }

    /// The token is written before the lock is used, and by its holder alone.
    private static Optional<LockFile.Held> create(LockFile file, Path path, String sessionId, String runId)
            throws IOException {
        Path tokens = path.resolveSibling(path.getFileName() + ".token");
        long token = token(tokens) + 1;
        Optional<LockFile.Held> held = file.create(
                Payload.of(sessionId, runId, UUID.randomUUID().toString(), token));
        return held.isEmpty() ? held : Optional.of(numbered(held.get(), tokens, token));
    }

    /// Another holder may have come and gone since the token was read. A lock whose token cannot be written is released.
    private static LockFile.Held numbered(LockFile.Held held, Path tokens, long atLeast) throws IOException {
        try {
            long token = Math.max(atLeast, token(tokens) + 1);
            Path next = tokens.resolveSibling(tokens.getFileName() + "." + UUID.randomUUID());
            Files.writeString(next, Long.toString(token));
            Files.move(next, tokens, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new LockFile.Held(held.path(), held.channel(), held.fileKey(), token);
        } catch (IOException e) {
            held.release();
            throw e;
        }
    }

    private static long token(Path tokens) throws IOException {
        try {
            return Long.parseLong(Files.readString(tokens).strip());
        } catch (NoSuchFileException e) {
            return 0;
        } catch (NumberFormatException e) {
            throw new IOException(tokens + " holds no number; write one that is greater than all tokens so far", e);
        }
    }

    private void renewAll() {
        for (Hold hold : HOLDS.values()) {
            if (hold.locks == this)
                hold.renew();
        }
    }

    /// Different ids have different names, and no name leaves the folder.
    private static String fileName(String sessionId) {
        if (sessionId.isEmpty())
            throw new IllegalArgumentException("sessionId must not be empty");
        StringBuilder name = new StringBuilder("s-");
        for (byte b : sessionId.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = Character.isLetterOrDigit(b) || b == '-' || b == '_';
            name.append(plain ? String.valueOf((char) b) : String.format("%%%02x", b));
        }
        return name.length() <= MAX_NAME
                ? name.toString()
                : "h-" + Digests.sha256(sessionId).substring("sha256:".length());
    }

    /// Lock of a run, with its number of holds.
    private static final class Hold {
        private final FileSessionLocks locks;
        private final Path path;
        private final String runId;
        private LockFile.@Nullable Held file;
        private int holds;

        Hold(FileSessionLocks locks, Path path, String runId) {
            this.locks = locks;
            this.path = path;
            this.runId = runId;
        }

        synchronized void open(LockFile.Held held) {
            file = held;
            holds = 1;
        }

        /// Returns false while the run is still acquiring, and after its last release.
        synchronized boolean again() {
            if (holds == 0)
                return false;
            holds++;
            return true;
        }

        synchronized void release() throws IOException {
            if (--holds > 0)
                return;
            try {
                requireNonNull(file).release();
            } finally {
                HOLDS.remove(path, this);
            }
        }

        synchronized void renew() {
            try {
                if (holds > 0)
                    requireNonNull(file).renew();
            } catch (IOException e) {
                // The next renewal tries again, and isHeld() reports a lost lock.
            }
        }

        SessionLock handle() {
            AtomicBoolean open = new AtomicBoolean(true);
            LockFile.Held held = requireNonNull(file);
            return new SessionLock() {
                @Override
                public long fencingToken() {
                    return held.token();
                }

                @Override
                public boolean isHeld() throws IOException {
                    return open.get() && held.isNamed();
                }

                @Override
                public void close() throws IOException {
                    if (open.compareAndSet(true, false))
                        release();
                }
            };
        }
    }
}
