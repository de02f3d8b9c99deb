package dev.toolfleet.worker.bridge;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class InstanceServersTest {
    private final AtomicInteger started = new AtomicInteger();
    private InstanceServers servers = servers(Duration.ofHours(1));

    /// Servers whose programs never start.
    private InstanceServers servers(Duration idle) {
        return new InstanceServers("sky", idle, folder -> {
            started.incrementAndGet();
            return ServerLink.start("sky of " + folder, listener -> {
                throw new IOException("there is no program");
            }, new RestartPause(RestartPause.MOST_FAILURES)::after, Duration.ofHours(1), new AtomicLong());
        });
    }

    @AfterEach
    void close() {
        servers.close();
    }

    private static Path folder(int number) {
        return Path.of("/i" + number);
    }

    @Test
    void callsOfOneInstanceShareAProcess() throws Exception {
        try (InstanceServers.Lease one = servers.acquire(folder(1));
                InstanceServers.Lease two = servers.acquire(folder(1))) {
            assertThat(one.link()).isSameAs(two.link());
        }
        assertThat(started).hasValue(1);
    }

    @Test
    void anIdleProcessEndsAndOneAtWorkDoesNot() throws Exception {
        servers = servers(Duration.ofMillis(20));
        InstanceServers.Lease busy = servers.acquire(folder(1));
        servers.acquire(folder(2)).close();

        await().until(() -> servers.links().equals(List.of(busy.link())));
        busy.close();
        await().until(() -> servers.links().isEmpty());
        servers.acquire(folder(1)).close();
        assertThat(started).hasValue(3);
        await().until(() -> servers.links().isEmpty());
    }

    @Test
    void oneMoreTakesThePlaceOfTheIdlest() throws Exception {
        List<InstanceServers.Lease> leases = new ArrayList<>();
        for (int i = 0; i < InstanceServers.MOST; i++)
            leases.add(servers.acquire(folder(i)));
        assertThatThrownBy(() -> servers.acquire(folder(99))).isInstanceOf(ServerDownException.class)
                .hasMessageContaining("all at work for other instances");
        ServerLink idlest = leases.get(3).link();
        leases.get(3).close();
        leases.get(1).close();

        try (InstanceServers.Lease more = servers.acquire(folder(99))) {
            assertThat(servers.links()).hasSize(InstanceServers.MOST).contains(more.link()).doesNotContain(idlest);
        }
    }

    @Test
    void manyCallsNeverMeetAProcessThatHasEnded() throws Exception {
        servers = servers(Duration.ofNanos(1));
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < 8; caller++) {
            int number = caller % 2;
            callers.add(CompletableFuture.runAsync(() -> {
                for (int call = 0; call < 200; call++) {
                    try (InstanceServers.Lease lease = servers.acquire(folder(number))) {
                        assertThat(servers.links()).contains(lease.link());
                    } catch (ServerDownException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }));
        }
        CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
    }
}
