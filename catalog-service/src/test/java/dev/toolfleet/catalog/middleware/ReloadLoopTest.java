package dev.toolfleet.catalog.middleware;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.tool.ToolModule;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

class ReloadLoopTest {
    private static final Duration BRIEF = Duration.ofMillis(5);

    private final AtomicBoolean copied = new AtomicBoolean();
    private final AtomicBoolean slow = new AtomicBoolean();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final CountDownLatch inRegistration = new CountDownLatch(1);
    private final CountDownLatch mayRegister = new CountDownLatch(1);
    private final StepExtensions extensions = new StepExtensions(new Code());
    private final ReloadLoop loop = new ReloadLoop(extensions, this::look, BRIEF);

    /// One extension that is present, and one whose code may be missing and whose registration may take long.
    private final class Code implements ModuleLoader {
        @Override
        public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
            if (!entry.equals(new EntryKind.JavaClass("late")))
                return new Module(false);
            attempts.incrementAndGet();
            if (!copied.get())
                throw new ModuleLoadException("no class late");
            return new Module(slow.get());
        }
    }

    private final class Module implements ExtensionModule {
        private final boolean waits;

        Module(boolean waits) {
            this.waits = waits;
        }

        @Override
        public void register(ExtensionRegistrar registrar, ObjectNode config) {
            registrar.step((ctx, next) -> next.proceed());
            if (!waits)
                return;
            inRegistration.countDown();
            try {
                mayRegister.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @AfterEach
    void close() {
        mayRegister.countDown();
        loop.close();
    }

    @Test
    void whatWasMissingIsFoundWithoutARevision() {
        loop.reload(late());
        assertThat(extensions.problems()).containsOnlyKeys("acme/late");
        assertThat(layers()).containsExactly("missing", "acme/there");

        loop.start();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> looks.get() > 5);
        assertThat(attempts).as("the revision's and the first look's, while no time passes").hasValue(2);

        copied.set(true);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> extensions.problems().isEmpty());
        assertThat(layers()).containsExactly("acme/there", "acme/late");
        assertThat(attempts).hasValue(3);
        assertThat(closed).as("what was loaded stayed").hasValue(0);
    }

    @Test
    void aChangeDuringARetryIsMadeAfterItAndStands() throws InterruptedException {
        loop.reload(late());
        slow.set(true);
        copied.set(true);
        loop.start();
        inRegistration.await();
        Thread follower = Thread.ofPlatform().start(() -> loop
                .reload(new Bundles().apply("acme", tool("t", "a"), agent("coder", "Tool/t")).view()));
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> follower.getState() == Thread.State.WAITING);
        assertThat(layers()).as("steps go on under the snapshot before").containsExactly("missing", "acme/there");

        mayRegister.countDown();
        follower.join();
        assertThat(layers()).isEmpty();
        assertThat(closed).as("also what the retry had found").hasValue(2);
        assertThat(extensions.problems()).isEmpty();
    }

    @Test
    void afterTheCloseAllIsClosedAndAChangeIsPassedOver() {
        copied.set(true);
        loop.reload(late());
        loop.close();
        assertThat(closed).hasValue(2);

        loop.reload(late());
        loop.close();
        assertThat(attempts).hasValue(1);
        assertThat(layers()).isEmpty();
    }

    private List<String> layers() {
        try (StepExtensions.Acquired held = extensions.acquire("coder")) {
            return held.layers().outermostFirst().stream()
                    .map(layer -> layer.priority() == Integer.MIN_VALUE ? "missing" : layer.extension()).toList();
        }
    }

    private static FleetResources late() {
        return new Bundles().apply("acme", tool("t", "a"), extension("late", "java:late"),
                extension("there", "java:there"),
                using(using(agent("coder", "Tool/t"), "there", config -> {}), "late", config -> {})).view();
    }

    private long look() {
        looks.incrementAndGet();
        return nanos.get();
    }
}
