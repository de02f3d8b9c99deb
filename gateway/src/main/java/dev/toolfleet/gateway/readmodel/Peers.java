package dev.toolfleet.gateway.readmodel;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.http.BearerToken;
import dev.toolfleet.http.HostPort;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Client of the other replicas' internal addresses.
///
/// **Contract.** Up to [#WAITING] requests wait at other replicas for something new. Further ones look once a second
/// instead. Otherwise: waiting streams take all connections of a replica, and its quick reads find none.
///
/// **Threads.** Thread-safe.
final class Peers implements AutoCloseable {
    /// Most requests that wait at other replicas at a time.
    static final int WAITING = 64;
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);
    private static final int OK = 200;
    /// Time for the way there and back.
    private static final Duration TRAVEL = Duration.ofSeconds(2);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final HexFormat HEX = HexFormat.of();

    private final Optional<BearerToken> token;
    private final HttpClient client;
    private final Semaphore waiting = new Semaphore(WAITING);

    Peers(Optional<BearerToken> token) {
        this.token = token;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(TRAVEL.dividedBy(2))
                .executor(Executors.newVirtualThreadPerTaskExecutor()).build();
    }

    /// Returns the reads of another replica.
    PartitionReads at(HostPort peer) {
        return new Peer(peer);
    }

    private final class Peer implements PartitionReads {
        private final HostPort host;

        Peer(HostPort host) {
            this.host = host;
        }

        @Override
        public Answer<CallView> find(CallId id, Duration patience) {
            return get(PeerAnswers.VIEW, "/calls/" + id + "?" + PeerRoute.PATIENCE + "=" + patience.toMillis(),
                    patience);
        }

        @Override
        public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration patience, Duration wait) {
            return waiting(wait, now -> get(PeerAnswers.EVENTS, "/calls/" + id + "/events?"
                    + (after == null ? "" : PeerRoute.AFTER + "=" + after + "&") + PeerRoute.PATIENCE + "="
                    + patience.toMillis() + "&" + PeerRoute.WAIT + "=" + now.toMillis(), patience.plus(now)),
                    answer -> answer instanceof Answer.Found<CallEvents>(CallEvents events)
                            && events.events().isEmpty() && !events.ended());
        }

        @Override
        public Answer<CallId> callOf(byte[] identity) {
            return get(PeerAnswers.CALL, "/identities/" + HEX.formatHex(identity), Duration.ZERO);
        }

        @Override
        public Answer<CallId> latestCall(byte[] instance) {
            return get(PeerAnswers.CALL, "/instances/" + HEX.formatHex(instance), Duration.ZERO);
        }

        @Override
        public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Duration wait) {
            return waiting(wait, now -> get(PeerAnswers.RESULTS, "/instances/" + HEX.formatHex(instance)
                    + "/results/" + partition + "?" + PeerRoute.FROM + "=" + from + "&" + PeerRoute.LIMIT + "="
                    + limit + "&" + PeerRoute.WAIT + "=" + now.toMillis(), now),
                    answer -> answer instanceof Answer.Found<InstanceResults>(InstanceResults results)
                            && results.results().isEmpty());
        }

        private <T> Answer<T> get(PeerAnswers<T> answers, String path, Duration longest) {
            URI uri = URI.create("http://" + host + PeerRoute.BASE + path);
            HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(longest.plus(TRAVEL));
            // A member of the group chooses its own address, so it does not get the token.
            token.ifPresent(bearer -> request.header("Authorization", bearer.signed(uri, Instant.now())));
            try {
                HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                if (response.statusCode() == OK)
                    return answers.read(response.body());
                LOG.atWarn().addKeyValue(LogKeys.PEER, host).addKeyValue(LogKeys.STATUS, response.statusCode())
                        .log("other gateway refused a read; do all gateways have the same internal token?");
                return new Answer.Unavailable<>("the gateway " + host + " refused the read with status "
                        + response.statusCode());
            } catch (IOException e) {
                LOG.atDebug().addKeyValue(LogKeys.PEER, host)
                        .addKeyValue(LogKeys.REASON, e.getClass().getSimpleName()).log("other gateway not reachable");
                return new Answer.Unavailable<>("the gateway " + host + ", which owns the partition, is not reachable");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Answer.Unavailable<>("the request was interrupted");
            }
        }
    }

    /// One look at another replica.
    private interface Look<T> {
        Answer<T> waiting(Duration wait);
    }

    /// True if an answer brought nothing new.
    private interface Empty<T> {
        boolean is(Answer<T> answer);
    }

    private <T> Answer<T> waiting(Duration wait, Look<T> look, Empty<T> empty) {
        if (wait.isZero())
            return look.waiting(wait);
        Countdown left = new Countdown(wait);
        while (true) {
            if (waiting.tryAcquire()) {
                try {
                    return look.waiting(left.left());
                } finally {
                    waiting.release();
                }
            }
            Answer<T> answer = look.waiting(Duration.ZERO);
            if (left.isOver() || !empty.is(answer))
                return answer;
            try {
                Thread.sleep(left.left().compareTo(LOOK_EVERY) < 0 ? left.left() : LOOK_EVERY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return answer;
            }
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
