package dev.toolfleet.worker.egress;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeftFoldersIT {
    // The path of a socket has at most 107 characters.
    private Path parent = Path.of(".");

    @BeforeEach
    void makeParent() throws Exception {
        parent = Files.createTempDirectory("left");
    }

    @AfterEach
    void removeParent() throws Exception {
        try (var all = Files.walk(parent)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList())
                Files.delete(path);
        }
    }

    @Test
    void foldersOfDeadProcessesGoWithTheirSockets() throws Exception {
        Path dead = folder("toolfleet-egress-8-123");
        socket(dead.resolve("1")).close();
        socket(dead.resolve("2")).close();
        Path empty = folder("toolfleet-egress-9-4");

        // A process that another test starts at this moment has inherited the sockets, until it executes its program.
        Awaitility.await().until(() -> {
            LeftFolders.remove(parent, LeftFoldersIT::isAlive);
            return Files.notExists(dead);
        });
        assertThat(empty).doesNotExist();
    }

    @Test
    void foldersOfTheLivingStay() throws Exception {
        Path living = folder("toolfleet-egress-7-123");
        socket(living.resolve("1")).close();

        LeftFolders.remove(parent, LeftFoldersIT::isAlive);

        assertThat(living.resolve("1")).exists();
    }

    /// Otherwise: a worker of another container, whose processes are not seen here, loses the sockets of its commands.
    @Test
    void aFolderInWhichSomethingListensStays() throws Exception {
        Path heard = folder("toolfleet-egress-8-123");
        try (ServerSocketChannel listening = socket(heard.resolve("1"))) {
            LeftFolders.remove(parent, LeftFoldersIT::isAlive);

            assertThat(listening.isOpen()).isTrue();
            assertThat(heard.resolve("1")).exists();
        }
    }

    @Test
    void whatIsNoFolderOfSocketsStays() throws Exception {
        Path file = Files.createFile(folder("toolfleet-egress-8-1").resolve("1"));
        Path other = folder("toolfleet-egress-x-1");
        Path target = folder("target");
        Path link = Files.createSymbolicLink(parent.resolve("toolfleet-egress-8-2"), target);

        LeftFolders.remove(parent, LeftFoldersIT::isAlive);

        assertThat(file).exists();
        assertThat(other).exists();
        assertThat(target).exists();
        assertThat(link).isSymbolicLink();
    }

    @Test
    void theNextWorkerOfTheMachineRemovesThem() throws Exception {
        Path left = Files.createDirectory(Path.of(System.getProperty("java.io.tmpdir"))
                .resolve(LeftFolders.PREFIX + deadProcess() + "-" + System.nanoTime()));
        socket(left.resolve("1")).close();

        try (TestServers servers = new TestServers(); EgressProxies proxies = new EgressProxies(servers.rules())) {
            Awaitility.await().until(() -> Files.notExists(left));
            assertThat(proxies.counts().refused()).isZero();
        }
    }

    private static boolean isAlive(long pid) {
        return pid == 7;
    }

    /// The number of a process that has ended, and that no other one has.
    private static long deadProcess() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        return ended.pid();
    }

    private Path folder(String name) throws Exception {
        return Files.createDirectory(parent.resolve(name));
    }

    /// One whose file stays when it is closed, as that of a killed process does.
    private static ServerSocketChannel socket(Path at) throws Exception {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(at));
    }
}
