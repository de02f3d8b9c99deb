package dev.toolfleet.oauth.owner;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Requests of one partition's grants to authorization servers, each on a virtual thread of its own.
///
/// **Threads.** The task's thread begins and takes. Answers wait here for it.
///
/// **Why.** A slow server must not hold up the other grants of the partition. Requests are not stored here: the grant's
/// state has its task, and the next owner begins it again.
final class ServerTasks {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTasks.class);

    private final Function<ServerRequest, ServerReply> servers;
    private final RequestRoom room;
    private final Set<Key> running = new HashSet<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    private record Key(String grantId, String taskId, long attempt) {}

    /// Answer to a task's request.
    record Answer(String grantId, String taskId, ServerReply reply, Object key) {}

    ServerTasks(Function<ServerRequest, ServerReply> servers, RequestRoom room) {
        this.servers = servers;
        this.room = room;
    }

    /// Begins a request unless it is under way, or there is no room now: the caller comes again.
    ///
    /// @param attempt distinguishes a repetition
    void begin(String grantId, String taskId, long attempt, ServerRequest request) {
        Key key = new Key(grantId, taskId, attempt);
        String app = request.bundle() + "/" + request.app();
        if (running.contains(key) || !room.enter(app))
            return;
        running.add(key);
        Thread.ofVirtual().name("oauth-" + taskId).start(() -> {
            try {
                answers.add(new Answer(grantId, taskId, reply(request), key));
            } finally {
                room.leave(app);
            }
        });
    }

    private ServerReply reply(ServerRequest request) {
        try {
            return servers.apply(request);
        } catch (Throwable e) {
            // An error, too. Otherwise: the task waits for its answer for ever. Its message may quote a token.
            LOG.atError().addKeyValue("request", request).addKeyValue("reason", e.getClass().getName())
                    .log("request to an authorization server failed");
            return new ServerReply.Unavailable("the fleet failed with " + e.getClass().getSimpleName());
        }
    }

    /// Returns the answers since the last call of this method.
    List<Answer> take() {
        List<Answer> taken = new ArrayList<>();
        for (Answer next = answers.poll(); next != null; next = answers.poll()) {
            running.remove(next.key());
            taken.add(next);
        }
        return taken;
    }

    /// Notes that answers which [#take] returned were applied.
    void applied(int answers) {
        room.read(answers);
    }

    /// Leaves the answers that have not been taken to the next owner, which makes the requests again.
    void close() {
        room.read(running.size());
        running.clear();
    }
}
