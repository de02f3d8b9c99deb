package dev.toolfleet.worker.tools.messaging;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/// One request to a service and its answer, over a connection of its own: the HTTP client for the service's library,
/// with the progress of the request. It follows no redirect, and never sends a request a second time without the
/// caller's order. An interrupt of the thread that makes the request closes the connection, if the thread is virtual.
/// So it has no timeouts; [Exchanges] bounds the whole.
public final class Exchange {
    private static final int MAX_ANSWER = 8_000_000;
    private static final int SERVER_FAULT = 500;

    private final AtomicBoolean sent = new AtomicBoolean();
    private final AtomicInteger status = new AtomicInteger();

    /// Makes a request and reads the answer.
    @FunctionalInterface
    public interface Work<T> {
        /// Does it.
        ///
        /// @throws RateLimited when the service did nothing and wants it later
        T run(Exchange exchange) throws IOException, RateLimited;
    }

    /// Made at the first request: many fleets never send one.
    private static final class Shared {
        static final OkHttpClient CLIENT = new OkHttpClient.Builder().protocols(List.of(Protocol.HTTP_1_1))
                .followRedirects(false).followSslRedirects(false)
                // A connection that is used again may turn out to be dead after the request has left.
                .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS)).connectTimeout(Duration.ZERO)
                .readTimeout(Duration.ZERO).writeTimeout(Duration.ZERO).build();
    }

    /// Returns a client for small answers: they are read as a whole before the caller sees them, up to a limit.
    ///
    /// @param pathPrefix goes before the path of each request; empty, or with a slash in front and none at the end
    public OkHttpClient answers(String pathPrefix) {
        return builder().addInterceptor(chain -> whole(chain, pathPrefix)).build();
    }

    /// A client that reads answers as they come.
    OkHttpClient streams() {
        return builder().build();
    }

    /// True if the request, or a part of it, has left.
    boolean sent() {
        return sent.get();
    }

    /// True if the service failed with a status that leaves open whether it had carried out the request.
    public boolean serverFault() {
        return status.get() >= SERVER_FAULT;
    }

    /// True if the service reports success by its status, whatever its body holds.
    public boolean accepted() {
        return status.get() / 100 == 2;
    }

    /// The status of the answer, 0 when there is none.
    public int status() {
        return status.get();
    }

    private OkHttpClient.Builder builder() {
        return Shared.CLIENT.newBuilder().dispatcher(new Dispatcher(new SameThread()))
                .eventListener(new EventListener() {
                    @Override
                    public void requestHeadersStart(Call call) {
                        sent.set(true);
                    }

                    @Override
                    public void responseHeadersEnd(Call call, Response response) {
                        status.set(response.code());
                    }
                });
    }

    private static Response whole(Interceptor.Chain chain, String pathPrefix) throws IOException {
        Request asked = chain.request();
        Request.Builder request = asked.newBuilder();
        if (!pathPrefix.isEmpty())
            request.url(asked.url().newBuilder().encodedPath(pathPrefix + asked.url().encodedPath()).build());
        RequestBody body = asked.body();
        if (body != null)
            request.method(asked.method(), new SentOnce(body));
        Response response = chain.proceed(request.build());
        ResponseBody answer = response.body();
        if (answer == null)
            return response;
        try (answer) {
            MediaType type = answer.contentType();
            byte[] bytes = answer.byteStream().readNBytes(MAX_ANSWER + 1);
            if (bytes.length > MAX_ANSWER)
                throw new IOException("the answer has more than " + MAX_ANSWER + " bytes");
            return response.newBuilder().body(ResponseBody.create(bytes, type)).build();
        }
    }

    /// A body that OkHttp does not write again on another connection. It still tries all addresses of a host for the
    /// first time.
    private static final class SentOnce extends RequestBody {
        private final RequestBody body;

        SentOnce(RequestBody body) {
            this.body = body;
        }

        @Override
        public @Nullable MediaType contentType() {
            return body.contentType();
        }

        @Override
        public long contentLength() throws IOException {
            return body.contentLength();
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            body.writeTo(sink);
        }
    }
}
