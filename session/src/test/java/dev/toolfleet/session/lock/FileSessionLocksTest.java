package dev.toolfleet.session.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.session.lock.LockResult.Acquired;
import dev.toolfleet.session.lock.LockResult.Busy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.toolfleet.session.lock.LockFolder.SESSION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

class FileSessionLocksTest {
    private static final LockConfig AT_ONCE = LockConfig.DEFAULT.waiting(Duration.ZERO);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;
    @SuppressWarnings("NullAway.Init")
    private FileSessionLocks locks;
    @SuppressWarnings("NullAway.Init")
    private LockFolder files;

    @BeforeEach
    void open() throws IOException {
        locks = FileSessionLocks.in(folder, AT_ONCE);
        files = new LockFolder(folder);
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    @DisplayName("LCK-01, LCK-17 free, and no wait: acquired; the file names process and session")
    void freeLockIsAcquired() throws Exception {
        try (SessionLock lock = acquired("run")) {
            assertThat(lock.isHeld()).isTrue();
            Payload payload = Payload.read(Files.readAllBytes(Files.createLink(folder.resolve("copy"), files.file())))
                    .orElseThrow();
            assertThat(payload.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(payload.sessionId()).isEqualTo(SESSION);
        }
    }

    @Test
    @DisplayName("LCK-02, LCK-12 held, 200 ms of waiting: busy, after sleeps between the looks")
    void heldLockIsBusyAfterTheWait() throws Exception {
        List<Duration> sleeps = new ArrayList<>();
        LockConfig patient = new LockConfig(Duration.ofMillis(200), Duration.ofMillis(50), Duration.ofMinutes(5),
                Duration.ofSeconds(5), Duration.ofMillis(100));
        FileSessionLocks.Clock clock = new FileSessionLocks.Clock() {
            private long nanos;

            @Override
            public long nanos() {
                return nanos;
            }

            @Override
            public void sleep(Duration pause) {
                sleeps.add(pause);
                nanos += pause.toNanos();
            }
        };
        try (SessionLock lock = acquired("one");
                FileSessionLocks waiting = FileSessionLocks.in(folder, patient, clock)) {
            assertThat(waiting.acquire(SESSION, "two")).isInstanceOf(Busy.class);
            assertThat(lock.isHeld()).isTrue();
            assertThat(sleeps).hasSize(4).containsOnly(Duration.ofMillis(50));
        }
    }

    @Test
    @DisplayName("LCK-03, LCK-04 release removes the file; the lock is acquired again with a greater token")
    void releaseFreesTheLock() throws Exception {
        SessionLock first = acquired("one");
        first.close();
        assertThat(files.file()).doesNotExist();
        assertThat(first.isHeld()).isFalse();
        try (SessionLock second = acquired("two")) {
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        }
    }

    @Test
    @DisplayName("LCK-05, LCK-15 dead owner on this machine, or one with this process's id: acquired at once")
    void deadOwnerIsReplaced() throws Exception {
        files.leaveDead();
        acquired("run").close();
    }

    @Test
    @DisplayName("LCK-06, LCK-20 owner on another machine with the same pid: busy, until its lease has expired")
    void foreignOwnerIsReplacedAfterItsLease() throws Exception {
        files.leaveForeign();
        assertThat(locks.acquire(SESSION, "run")).isInstanceOfSatisfying(Busy.class,
                busy -> assertThat(busy.owner()).contains("on elsewhere"));
        files.age(Duration.ofMinutes(6));
        acquired("run").close();
    }

    @ParameterizedTest
    @DisplayName("LCK-07 a run acquires twice: its first release keeps the lock, its last frees it")
    @ValueSource(booleans = {true, false})
    void runAcquiresAgain(boolean innerFirst) throws Exception {
        SessionLock outer = acquired("run");
        SessionLock inner = acquired("run");
        (innerFirst ? inner : outer).close();
        assertThat(locks.acquire(SESSION, "other")).isInstanceOf(Busy.class);
        (innerFirst ? outer : inner).close();
        acquired("other").close();
    }

    @Test
    @DisplayName("LCK-10, LCK-24 a holder that lost its lock knows it: its next write is refused")
    void lostLockIsNoticed() throws Exception {
        SessionLock lock = acquired("run");
        Files.delete(files.file());
        files.leaveForeign();
        assertThat(lock.isHeld()).isFalse();
        lock.close();
        assertThat(files.file()).exists();
    }

    @Test
    @DisplayName("LCK-11 a second release, or one by an earlier owner, leaves the successor's lock")
    void releaseIsHarmlessTwice() throws Exception {
        SessionLock first = acquired("one");
        first.close();
        try (SessionLock second = acquired("two")) {
            first.close();
            assertThat(second.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @DisplayName("LCK-12, LCK-13 a file without a readable owner: busy within the grace, removed after it")
    @ValueSource(strings = {"", "{", "{}", "{\"pid\":0}", "{\"pid\":-1}", "{\"pid\":\"x\"}", "12345"})
    void unreadableOwnerIsRemovedAfterTheGrace(String content) throws Exception {
        files.leave(content);
        assertThat(locks.acquire(SESSION, "run")).isEqualTo(new Busy(null));
        files.age(Duration.ofSeconds(6));
        acquired("run").close();
    }

    /// The system's lock decides about the owner's life. No signal is sent to the owner.
    @Test
    @DisplayName("LCK-14 an owner of another user is alive while it holds the system's lock")
    void systemsLockDecides() throws Exception {
        try (SessionLock lock = acquired("one"); FileSessionLocks others = FileSessionLocks.in(folder, AT_ONCE)) {
            files.age(Duration.ofDays(1));
            assertThat(others.acquire(SESSION, "two")).isInstanceOf(Busy.class);
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("LCK-16 odd session ids are encoded within the folder, differently; the empty one is rejected")
    void oddIdsStayInTheFolder() throws Exception {
        Set<String> names = new TreeSet<>();
        for (String id : List.of("../x", "a/b", "a-b", "a%2fb", "x".repeat(300), "x".repeat(301), "..", "한")) {
            try (SessionLock lock = ((Acquired) locks.acquire(id, "run")).lock(); var list = Files.list(folder)) {
                assertThat(lock.isHeld()).isTrue();
                list.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".lock"))
                        .forEach(names::add);
            }
        }
        assertThat(names).hasSize(8);
        assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire("", "run"))
                .withMessage("sessionId must not be empty");
    }

    @Test
    @DisplayName("LCK-18 a second run of the same process: busy")
    void secondRunOfTheProcessIsBusy() throws Exception {
        try (SessionLock lock = acquired("one")) {
            assertThat(locks.acquire(SESSION, "two")).isEqualTo(new Busy("run one of this process"));
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("LCK-21 an ended run acquires nothing any more")
    void endedRunIsRefused() throws Exception {
        locks.end("run");
        assertThat(locks.acquire(SESSION, "run")).isEqualTo(new LockResult.Ended("run"));
    }

    @Test
    @DisplayName("LCK-22 a timeout below the longest hold is warned about")
    void shortTimeoutIsWarnedAbout() {
        assertThat(LockConfig.DEFAULT.warnings()).isEmpty();
        assertThat(AT_ONCE.warnings()).singleElement().asString().contains("timeout (PT0S)", "maxHold (PT5S)");
    }

    /// A busy lock is a value of its own: a caller cannot take it for the failure of a model.
    @Test
    @DisplayName("LCK-23 busy is reported as busy")
    void busyIsAValueOfItsOwn() throws Exception {
        try (SessionLock lock = acquired("one")) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(switch (locks.acquire(SESSION, "two")) {
                case Acquired acquired -> "acquired";
                case Busy busy -> "busy";
                case LockResult.Ended ended -> "ended";
            }).isEqualTo("busy");
        }
    }

    @Test
    @DisplayName("LCK-25 1,000 sessions do not block each other, and add no thread each")
    void sessionsAreIndependent() throws Exception {
        int threads = Thread.activeCount();
        List<SessionLock> held = new ArrayList<>();
        for (int n = 0; n < 1_000; n++)
            held.add(((Acquired) locks.acquire("session-" + n, "run-" + n)).lock());
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 2);
        for (SessionLock lock : held)
            lock.close();
    }

    @Test
    @DisplayName("LCK-26 a folder reached by a link: the same lock")
    void linkLeadsToTheSameLock() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolveSibling(folder.getFileName() + "-link"), folder);
        try (SessionLock lock = acquired("one"); FileSessionLocks linked = FileSessionLocks.in(link, AT_ONCE)) {
            assertThat(linked.acquire(SESSION, "two")).isInstanceOf(Busy.class);
            assertThat(lock.isHeld()).isTrue();
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void unreadableTokenIsNamed() throws Exception {
        Files.writeString(folder.resolve("s-s1.lock.token"), "x");
        assertThat(catchThrowable(() -> locks.acquire(SESSION, "run")))
                .isInstanceOf(IOException.class).hasMessageContaining("s-s1.lock.token holds no number");
        Files.delete(folder.resolve("s-s1.lock.token"));
        acquired("run").close();
    }

    private SessionLock acquired(String run) throws IOException, InterruptedException {
        LockResult result = locks.acquire(SESSION, run);
        assertThat(result).isInstanceOf(Acquired.class);
        return ((Acquired) result).lock();
    }
}
