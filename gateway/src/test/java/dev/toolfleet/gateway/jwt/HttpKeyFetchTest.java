package dev.toolfleet.gateway.jwt;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HttpKeyFetchTest {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final HttpKeyFetch fetch = new HttpKeyFetch();

    HttpKeyFetchTest() throws IOException {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void close() {
        ended.countDown();
        fetch.close();
        server.stop(0);
    }

    private URI serving(String path, HttpHandler handler) {
        server.createContext(path, handler);
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void aRedirectIsNotFollowed() {
        AtomicInteger inside = new AtomicInteger();
        URI target = serving("/inside", exchange -> {
            inside.incrementAndGet();
            answer(exchange, 200, new byte[]{'{', '}'});
        });
        URI uri = serving("/jwks", exchange -> {
            exchange.getResponseHeaders().set("Location", target.toString());
            answer(exchange, 302, new byte[]{1});
        });

        assertThatThrownBy(() -> fetch.fetch(uri)).isInstanceOf(IOException.class).hasMessageContaining("302");
        assertThat(inside).hasValue(0);
    }

    @Test
    void anAnswerWithoutEndIsGivenUp() {
        URI uri = serving("/jwks", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                byte[] block = new byte[64 * 1024];
                while (ended.getCount() > 0)
                    out.write(block);
            }
        });

        assertThatThrownBy(() -> fetch.fetch(uri)).isInstanceOf(IOException.class);
    }

    @Test
    void anAnswerThatDoesNotComeIsGivenUp() {
        URI uri = serving("/jwks", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush();
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        assertThatThrownBy(() -> fetch.fetch(uri)).isInstanceOf(IOException.class).hasMessageContaining("5 s");
    }
}
