package dev.toolfleet.json;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

import static org.assertj.core.api.Assertions.assertThat;

class JsonFailuresTest {
    /// Runs in a process in which none of Jackson's classes was used before.
    @Test
    void aValueThatContainsItselfDoesNotSpoilTheReadingOfMalformedRecords() throws Exception {
        URL[] classes = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(JsonFailuresTest::url).toArray(URL[]::new);
        try (URLClassLoader apart = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Object told = ((Callable<?>) apart.loadClass(Overflow.class.getName()).getDeclaredConstructor()
                    .newInstance()).call();

            assertThat(told).isEqualTo("refused twice");
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }

    /// A tool answers with a value that contains itself; then a malformed record comes.
    public static final class Overflow implements Callable<String> {
        @Override
        public String call() {
            int refused = 0;
            try {
                Json.MAPPER.valueToTree(new Overflow());
            } catch (JacksonException | StackOverflowError e) {
                refused++;
            }
            try {
                Json.MAPPER.readTree("{");
            } catch (JacksonException e) {
                refused++;
            }
            return refused == 2 ? "refused twice" : "read";
        }

        public Overflow getSelf() {
            return new Overflow();
        }
    }
}
