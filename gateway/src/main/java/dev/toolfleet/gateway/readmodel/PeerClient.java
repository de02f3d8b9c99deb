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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.TopicPosition;
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
final class PeerClient implements AutoCloseable {
    /// Most requests that wait at other replicas at a time.
    static final int WAITING = 64;
    private static final Logger LOG = LoggerFactory.getLogger(PeerClient.class);
    private static final int OK = 200;
    /// Time for the way there and back.
    private static final Duration TRAVEL = Duration.ofSeconds(2);
    /// A copy answers after it.
    private static final Duration CONNECT = Duration.ofMillis(500);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final HexFormat HEX = HexFormat.of();

    private final Optional<BearerToken> token;
    private final HttpClient client;
    private final Semaphore waiting = new Semaphore(WAITING);
    private final Silences silences = new Silences(System::nanoTime);

    PeerClient(Optional<BearerToken> token) {
        this.token = token;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(CONNECT)
                .executor(Executors.newVirtualThreadPerTaskExecutor()).build();
    }

    /// Returns the reads of another replica's own partitions.
    PartitionReads at(HostPort peer) {
        return new Peer(peer);
    }

    /// Returns the reads of another replica's copies.
    CopyReads copiesAt(HostPort peer) {
        return new PeerCopies(peer);
    }

    private static String identityPath(Set<Integer> partitions, byte[] identity) {
        return "/identities/" + HEX.formatHex(identity) + "?" + among(partitions);
    }

    private static String instancePath(Set<Integer> partitions, byte[] instance) {
        return "/instances/" + HEX.formatHex(instance) + "?" + among(partitions);
    }

    private static String among(Set<Integer> partitions) {
        return PeerRoute.PARTITIONS + "=" + partitions.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String eventsPath(CallId id, @Nullable EventId after) {
        return "/calls/" + id + "/events?" + (after == null ? "" : PeerRoute.AFTER + "=" + after + "&");
    }

    private static String resultsPath(int partition, byte[] instance, long from, int limit) {
        return "/instances/" + HEX.formatHex(instance) + "/results/" + partition + "?" + PeerRoute.FROM + "=" + from
                + "&" + PeerRoute.LIMIT + "=" + limit;
    }

    /// Returns the part of a position that is about these partitions, as a parameter; empty for none.
    private static String position(Set<Integer> partitions, @Nullable TopicPosition position) {
        SortedMap<Integer, Long> offsets = position == null ? new TreeMap<>() : new TreeMap<>(position.offsets());
        offsets.keySet().retainAll(partitions);
        return offsets.isEmpty() ? "" : "&" + PeerRoute.AFTER + "=" + new TopicPosition(offsets);
    }

    private final class Peer implements PartitionReads {
        private final HostPort host;

        Peer(HostPort host) {
            this.host = host;
        }

        private <T> Answer<T> get(PeerAnswers<T> answers, String path, Duration longest) {
            return PeerClient.this.get(host, answers, path, longest);
        }

        @Override
        public Answer<CallView> find(CallId id, Duration patience) {
            return get(PeerAnswers.VIEW, "/calls/" + id + "?" + PeerRoute.PATIENCE + "=" + patience.toMillis(),
                    patience);
        }

        @Override
        public Answer<CallEvents> events(CallId id, @Nullable EventId after, Duration patience, Duration wait) {
            return waiting(wait, now -> get(PeerAnswers.EVENTS, eventsPath(id, after) + PeerRoute.PATIENCE + "="
                    + patience.toMillis() + "&" + PeerRoute.WAIT + "=" + now.toMillis(), patience.plus(now)),
                    answer -> answer instanceof Answer.Found<CallEvents>(CallEvents events)
                            && events.events().isEmpty() && !events.ended());
        }

        @Override
        public Answer<CallId> callOf(Set<Integer> partitions, byte[] identity) {
            return get(PeerAnswers.CALL, identityPath(partitions, identity), Duration.ZERO);
        }

        @Override
        public Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance) {
            return get(PeerAnswers.CALL, instancePath(partitions, instance), Duration.ZERO);
        }

        @Override
        public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit, Duration wait) {
            return waiting(wait, now -> get(PeerAnswers.RESULTS, resultsPath(partition, instance, from, limit) + "&"
                    + PeerRoute.WAIT + "=" + now.toMillis(), now),
                    answer -> answer instanceof Answer.Found<InstanceResults>(InstanceResults results)
                            && results.results().isEmpty());
        }

        @Override
        public Answer<CallPage> list(Set<Integer> partitions, CallFilter filter, @Nullable TopicPosition before,
                int limit) {
            return get(PeerAnswers.PAGE, "/calls?" + among(partitions) + "&" + PeerRoute.LIMIT + "=" + limit
                    + position(partitions, before) + FilterQuery.write(filter), Duration.ZERO);
        }

        @Override
        public Answer<FleetLoad> load(Set<Integer> partitions) {
            return get(PeerAnswers.LOAD, "/load?" + among(partitions), Duration.ZERO);
        }
    }

    private final class PeerCopies implements CopyReads {
        private final HostPort host;

        PeerCopies(HostPort host) {
            this.host = host;
        }

        private <T> Answer<T> get(PeerAnswers<T> answers, String path) {
            return PeerClient.this.get(host, answers, PeerRoute.COPIES + path, Duration.ZERO);
        }

        @Override
        public Answer<CallView> find(CallId id) {
            return get(PeerAnswers.VIEW, "/calls/" + id);
        }

        @Override
        public Answer<CallEvents> events(CallId id, @Nullable EventId after) {
            return get(PeerAnswers.EVENTS, eventsPath(id, after));
        }

        @Override
        public Answer<CallId> callOf(Set<Integer> partitions, byte[] identity) {
            return get(PeerAnswers.CALL, identityPath(partitions, identity));
        }

        @Override
        public Answer<CallId> latestCall(Set<Integer> partitions, byte[] instance) {
            return get(PeerAnswers.CALL, instancePath(partitions, instance));
        }

        @Override
        public Answer<InstanceResults> results(int partition, byte[] instance, long from, int limit) {
            return get(PeerAnswers.RESULTS, resultsPath(partition, instance, from, limit));
        }
    }

    private <T> Answer<T> get(HostPort host, PeerAnswers<T> answers, String path, Duration longest) {
        if (silences.isSilent(host))
            return new Answer.Unavailable<>("the gateway " + host + " was not reachable a moment ago");
        URI uri = URI.create("http://" + host + PeerRoute.BASE + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(longest.plus(TRAVEL));
        // A member of the group chooses its own address, so it does not get the token.
        token.ifPresent(bearer -> request.header("Authorization", bearer.signed(uri, Instant.now())));
        try {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() == OK)
                return answers.read(response.body());
            LOG.atWarn().addKeyValue(ReadModelLogKeys.PEER, host)
                    .addKeyValue(ReadModelLogKeys.STATUS, response.statusCode())
                    .log("other gateway refused a read; do all gateways have the same internal token?");
            return new Answer.Unavailable<>("the gateway " + host + " refused the read with status "
                    + response.statusCode());
        } catch (IOException e) {
            silences.begin(host);
            LOG.atDebug().addKeyValue(ReadModelLogKeys.PEER, host)
                    .addKeyValue(ReadModelLogKeys.REASON, e.getClass().getSimpleName())
                    .log("other gateway not reachable");
            return new Answer.Unavailable<>("the gateway " + host + ", which owns the partition, is not reachable");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Unavailable<>("the request was interrupted");
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
