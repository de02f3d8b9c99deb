package dev.toolfleet.oauth.owner;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ServerTasksTest {
    private final RequestRoom room = new RequestRoom();

    @Test
    void slowServerLeavesRoomForOthers() {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        ServerTasks tasks = new ServerTasks(request -> {
            begun.incrementAndGet();
            if (request.app().equals("slow"))
                awaited(slow);
            return new ServerReply.Revoked();
        }, room);
        for (int i = 0; i < RequestRoom.MOST; i++)
            tasks.begin("grant-" + i, "refresh-1", 0, request("slow"));
        tasks.begin("grant-0", "refresh-1", 0, request("slow"));
        tasks.begin("other", "refresh-1", 0, request("chat"));

        await().until(() -> begun.get() == RequestRoom.MOST_OF_APP + 1);
        await().until(() -> !tasks.take().isEmpty());
        slow.countDown();
    }

    @Test
    void errorIsAnAnswer() {
        ServerTasks tasks = new ServerTasks(request -> {
            throw new NoClassDefFoundError("gone");
        }, room);
        tasks.begin("grant", "refresh-1", 0, request("chat"));

        await().untilAsserted(() -> assertThat(tasks.take()).singleElement()
                .satisfies(answer -> assertThat(answer.reply()).isInstanceOf(ServerReply.Unavailable.class)));
    }

    @Test
    void ownerThatStopsWaitsForAnswersAndBeginsNoRequest() {
        CountDownLatch held = new CountDownLatch(1);
        ServerTasks tasks = new ServerTasks(request -> {
            awaited(held);
            return new ServerReply.Revoked();
        }, room);
        tasks.begin("grant", "refresh-1", 0, request("chat"));
        assertThat(room.drain(Duration.ofMillis(10))).as("its answer is not there").isFalse();
        tasks.begin("grant", "refresh-2", 0, request("chat"));
        held.countDown();
        await().until(() -> {
            tasks.applied(tasks.take().size());
            return room.drain(Duration.ZERO);
        });
    }

    @Test
    void answersOfAPartitionThatIsGoneAreNotWaitedFor() {
        ServerTasks tasks = new ServerTasks(request -> new ServerReply.Revoked(), room);
        tasks.begin("grant", "refresh-1", 0, request("chat"));
        tasks.close();

        assertThat(room.drain(Duration.ZERO)).isTrue();
    }

    private static ServerRequest request(String app) {
        return new ServerRequest("acme", app, ServerRequest.Kind.REFRESH, "r", null, List.of());
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
