package dev.toolfleet.worker.tools.messaging;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolModule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A worker that starts does not load the libraries of services that its agents may never speak to.
class LateLoadingTest {
    private static final String TOOLS = "dev.toolfleet.worker.tools.";

    @ParameterizedTest
    @ValueSource(strings = {"slack.SlackModule", "telegram.TelegramModule"})
    void aModuleThatIsConfiguredHasLoadedNoLibrary(String name) throws Exception {
        ClassLoader loader = new WithoutLibraries();
        ToolModule module = (ToolModule) loader.loadClass(TOOLS + name).getDeclaredConstructor(Path.class)
                .newInstance(Path.of("workspace"));
        module.configure(Json.MAPPER.createObjectNode());
        Map<String, ?> handlers = module.handlers();

        assertThat(handlers).hasSize(6);
        assertThat(module.getClass().getClassLoader()).isSameAs(loader);
        assertThatThrownBy(() -> loader.loadClass("okhttp3.OkHttpClient")).isInstanceOf(ClassNotFoundException.class);
    }

    private static final class WithoutLibraries extends ClassLoader {
        private static final List<String> LIBRARIES = List.of("okhttp3.", "okio.", "kotlin.", "com.slack.",
                "org.telegram.", "com.google.gson.", "com.fasterxml.jackson.databind.");

        WithoutLibraries() {
            super(LateLoadingTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (LIBRARIES.stream().anyMatch(name::startsWith))
                throw new ClassNotFoundException(name + " was wanted");
            if (!name.startsWith(TOOLS))
                return super.loadClass(name, resolve);
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defined(name);
        }

        private Class<?> defined(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null)
                    throw new ClassNotFoundException(name);
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
