package dev.toolfleet.testkit;

import java.io.File;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A tool author needs only `contracts` and its dependencies.
class HandlerCompilesAloneIT {
    private static final String SOURCE = """
            import java.util.Map;
            import dev.toolfleet.tool.*;
            import tools.jackson.databind.node.ObjectNode;

            public final class Builds implements ToolModule {
                record Status(String build, int lines) {}

                public Map<String, ToolHandler> handlers() {
                    return Map.of("start", this::start, "status", ToolHandler.typed(Status.class, (ctx, in) -> in));
                }

                ToolOutput start(ToolContext ctx, ObjectNode input) {
                    if (!input.has("target"))
                        throw new ToolException("E_NO_TARGET", "No target.").suggestion("Name one.");
                    ctx.logger().info("starting {}", input.get("target").asString());
                    return ToolOutput.pending(ctx.newHandle(), Map.of("message", "started"));
                }
            }
            """;

    @Test
    void aHandlerCompilesAndRunsWithContractsAlone(@TempDir Path classes) throws Exception {
        List<Path> classPath = contractsAndItsDependencies();
        assertThat(classPath).noneMatch(entry -> entry.toString().contains("kafka"));

        compile(classPath, classes);

        try (URLClassLoader loader = new URLClassLoader(new URL[]{classes.toUri().toURL()});
                ToolModule builds = (ToolModule) loader.loadClass("Builds").getConstructor().newInstance();
                FakeToolContext ctx = FakeToolContext.create()) {
            var input = Json.MAPPER.createObjectNode().put("target", "app");
            ToolOutput output = Objects.requireNonNull(builds.handlers().get("start")).handle(ctx, input);
            assertThat(output).isInstanceOfSatisfying(ToolOutput.Pending.class,
                    pending -> assertThat(pending.handle()).isEqualTo("handle-1"));
            assertThat(ctx.logLines()).extracting(LogLine::message).containsExactly("starting app");
        }
    }

    private static List<Path> contractsAndItsDependencies() {
        return Stream.of(ToolModule.class, JsonNode.class, JsonParser.class, JsonInclude.class, NullMarked.class,
                Logger.class).map(HandlerCompilesAloneIT::origin).distinct().toList();
    }

    private static Path origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void compile(List<Path> classPath, Path target) {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "tests need a JDK");
        String path = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        StringWriter problems = new StringWriter();
        boolean done = compiler.getTask(problems, null, null,
                List.of("-classpath", path, "-d", target.toString(), "--release", "21", "-proc:none"), null,
                List.of(source())).call();
        assertThat(done).as(problems.toString()).isTrue();
    }

    private static JavaFileObject source() {
        return new SimpleJavaFileObject(URI.create("string:///Builds.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return SOURCE;
            }
        };
    }
}
