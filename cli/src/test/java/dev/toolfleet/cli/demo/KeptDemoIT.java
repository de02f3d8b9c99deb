package dev.toolfleet.cli.demo;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.cli.command.ParsedLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// `toolfleet demo --keep`: a call waits for the person who watches, and runs once it is approved.
class KeptDemoIT {
    private static final Pattern APPROVE = Pattern.compile("approve (\\S+) --bootstrap (\\S+)");
    private static final Pattern CONSOLE = Pattern.compile("console +(http://127\\.0\\.0\\.1:\\d+)/console ");
    private static final Pattern COMMAND = Pattern.compile("In a terminal:</span> <code>([^<]+)</code>");
    private static final Duration SOON = Duration.ofMinutes(2);

    @Test
    void aCallIsLeftForThePersonAndRunsOnceApproved() throws Exception {
        TypedCommands demo = TypedCommands.of(100);
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Integer> ended = threads.submit(() -> demo.run("demo", "--keep"));
            try {
                await().atMost(SOON).until(() -> ended.isDone() || APPROVE.matcher(demo.out().toString()).find());
                String out = demo.out().toString();
                assertThat(out).as(demo.err().toString()).contains("The fleet keeps running. Ctrl-C stops it.",
                        "One call waits for your approval: open the console");
                Matcher approve = found(APPROVE, out);
                String handle = approve.group(1);
                String gateway = found(CONSOLE, out).group(1);
                await().atMost(SOON)
                        .untilAsserted(
                                () -> assertThat(get(gateway + "/v1/approvals")).contains(handle, "next-release"));

                assertThat(wrongCommands(gateway, handle)).as("commands that pages name").isEmpty();

                TypedCommands person = TypedCommands.of(100, "--bootstrap", approve.group(2));
                assertThat(person.run("approve", handle, "--timeout", "60s")).as(person.err().toString()).isZero();

                assertThat(person.run("explain", handle)).isZero();
                assertThat(person.out().toString()).contains("file-system__mkdir", "has ended ok");
            } finally {
                threads.shutdownNow();
            }
            assertThat(ended.get(60, TimeUnit.SECONDS)).as(demo.err().toString()).isZero();
        }
    }

    /// Returns the refusals of the commands that pages name.
    private static List<String> wrongCommands(String gateway, String handle) throws Exception {
        String inbox = get(gateway + "/console/approvals");
        String call = found(Pattern.compile("/console/calls/(\\d+-\\d+)"), inbox).group(1);
        assertThat(inbox).contains(handle);
        List<String> wrong = new ArrayList<>();
        for (String page : List.of("", "/calls", "/calls?instance=it%27s+one", "/calls/" + call, "/approvals", "/tools",
                "/tools?instance=i+1", "/errors?since=15m", "/dead-letters", "/dead-letters?all=true",
                "/dead-letters/0:0", "/fleet", "/policy?tool=bash__exec&agent=coder&user=u1",
                "/sessions?instance=i&agent=a")) {
            Matcher named = found(COMMAND, get(gateway + "/console" + page));
            ParsedLine.problem(named.group(1).replace("&#39;", "'").replace("&amp;", "&")).ifPresent(wrong::add);
        }
        return wrong;
    }

    private static Matcher found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher;
    }

    private static String get(String url) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString()).body();
        }
    }
}
