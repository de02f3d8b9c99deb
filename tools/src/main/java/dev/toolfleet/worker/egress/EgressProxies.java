package dev.toolfleet.worker.egress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens a proxy for each command. Thread-safe.
///
/// **Threads.** One virtual thread closes connections that are silent for too long, of all proxies. Another removes, at the
/// start, what killed workers left.
public final class EgressProxies implements AutoCloseable {
    /// Connections of all commands together: each takes two file descriptors of the worker.
    static final int MAX_CONNECTIONS = 1024;
    private static final Logger LOG = LoggerFactory.getLogger(EgressProxies.class);
    private static final int LOOKS = 4;
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

    private final EgressRules rules;
    private final EgressCounts counts = new EgressCounts();
    private final LookupThreads lookups = new LookupThreads();
    private final Set<EgressProxy> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong number = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread watch;
    private Optional<Path> folder = Optional.empty();

    /// Proxies with these rules.
    public EgressProxies(EgressRules rules) {
        this.rules = rules;
        this.watch = Thread.ofVirtual().name("egress-watch").start(this::watch);
        Thread.ofVirtual().name("egress-left").start(() -> LeftFolders.remove(temporary(),
                pid -> ProcessHandle.of(pid).isPresent()));
    }

    /// Counts of all proxies so far.
    public EgressCounts counts() {
        return counts;
    }

    /// A proxy for one command, which listens when this returns. To be closed with the command.
    ///
    /// @throws IOException when its socket cannot be made
    public EgressProxy open() throws IOException {
        EgressProxy proxy = new EgressProxy(folder().resolve(Long.toString(number.incrementAndGet())),
                new CommandAccount(rules, counts, lookups),
                () -> open.stream().mapToInt(EgressProxy::connections).sum() < MAX_CONNECTIONS, open::remove);
        open.add(proxy);
        return proxy;
    }

    /// The folder of the sockets, which this user alone can enter; made anew when something has tidied it away.
    private Path folder() throws IOException {
        lock.lock();
        try {
            if (folder.isEmpty() || Files.notExists(folder.get()))
                folder = Optional.of(Files.createTempDirectory(temporary(),
                        LeftFolders.PREFIX + ProcessHandle.current().pid() + "-"));
            return folder.get();
        } finally {
            lock.unlock();
        }
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    private void watch() {
        Duration shortest = rules.bounds().head().compareTo(rules.bounds().idle()) < 0
                ? rules.bounds().head()
                : rules.bounds().idle();
        Duration look = shortest.dividedBy(LOOKS);
        try {
            while (true) {
                Thread.sleep(look.compareTo(LONGEST_LOOK) < 0 ? look : LONGEST_LOOK);
                open.forEach(EgressProxy::closeSilent);
            }
        } catch (InterruptedException e) {
            return; // Closed.
        }
    }

    /// Ends all proxies.
    @Override
    public void close() {
        watch.interrupt();
        lookups.close();
        open.forEach(EgressProxy::close);
        lock.lock();
        try {
            if (folder.isPresent())
                Files.deleteIfExists(folder.get());
        } catch (IOException e) {
            LOG.atDebug().addKeyValue(CommandLogKeys.REASON, e.toString()).log("folder of egress sockets not removed");
        } finally {
            lock.unlock();
        }
    }
}
