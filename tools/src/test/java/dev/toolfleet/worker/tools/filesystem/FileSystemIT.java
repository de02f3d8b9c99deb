package dev.toolfleet.worker.tools.filesystem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class FileSystemIT {
    private static final int SWAPPED_CALLS = 3000;
    private static final JsonMapper LENIENT = JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

    @TempDir
    Path root;
    private Path workdir = Path.of(".");
    private Path outside = Path.of(".");

    @BeforeEach
    void folders() throws Exception {
        workdir = Files.createDirectory(root.toRealPath().resolve("workdir"));
        outside = Files.createDirectory(root.toRealPath().resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
    }

    @Test
    void itPassesTheContract() throws InterruptedException {
        ToolContract.of(() -> new FileSystemModule(Path.of("workspace")))
                .workdir(folder -> Files.writeString(folder.resolve("a"), "text"))
                .export("read").input("{'path': 'a'}").failingInput("{'path': 'none'}").failingInput("{'path': '..'}")
                .export("write").input("{'path': 'b/c', 'content': 'x'}").failingInput("{'path': 'a/b', 'content': ''}")
                .export("list").input("{}").failingInput("{'path': 'a'}").export("mkdir").input("{'path': 'x/y'}")
                .failingInput("{'path': 'x/y', 'recursive': false}").verify();
    }

    @Test
    void readCutsAtBytesWithoutSplittingACharacter() throws Exception {
        Files.writeString(workdir.resolve("a"), "a\u20ac\u20ac");

        assertThat(call("read", "{'path': 'a', 'maxBytes': 6}").toString()).isEqualTo("{\"path\":\"" + workdir
                + "/a\",\"size\":7,\"truncated\":true,\"content\":\"a\u20ac\"}");
        assertThat(call("read", "{'path': 'a', 'maxBytes': 7}").path("truncated").booleanValue()).isFalse();
        assertThat(failure("read", "{'path': 'a', 'maxBytes': 0}")).isEqualTo("E_TOOL_INVALID_ARGS");
    }

    @Test
    void readReturnsNoMoreThanTheConfiguredBytesOfAHugeFile() throws Exception {
        try (var file = new java.io.RandomAccessFile(workdir.resolve("huge").toFile(), "rw")) {
            file.setLength(5_000_000_000L);
        }
        JsonNode result = call("read", "{'path': 'huge', 'maxBytes': 1e15}");
        assertThat(result.path("content").asString()).as("six bytes of JSON each").hasSize(166_666);
        assertThat(result.path("size").asLong()).isEqualTo(5_000_000_000L);
        assertThat(result.path("truncated").booleanValue()).isTrue();
    }

    @Test
    void writeReplacesAppendsAndEmpties() throws Exception {
        assertThat(call("write", "{'path': 'd/a', 'content': 'hello'}").toString()).isEqualTo("{\"path\":\"" + workdir
                + "/d/a\",\"size\":5,\"written\":true,\"append\":false}");
        call("write", "{'path': 'd/a', 'content': '!', 'append': true}");
        assertThat(workdir.resolve("d/a")).hasContent("hello!");
        call("write", "{'path': 'd/a', 'content': 'x'}");
        assertThat(workdir.resolve("d/a")).hasContent("x");
        assertThat(call("write", "{'path': 'd/a', 'content': ''}").path("size").asInt()).isZero();
        assertThat(workdir.resolve("d/a")).isEmptyFile();
    }

    @Test
    void listIsSortedRecursiveOnDemandAndLeavesLinksOut() throws Exception {
        Files.createDirectories(workdir.resolve("a/sub"));
        for (String name : List.of("z", "a-b", "a/x", ".hidden"))
            Files.writeString(workdir.resolve(name), "12");
        Files.createSymbolicLink(workdir.resolve("link"), outside);

        assertThat(names(call("list", "{}"))).containsExactly(".hidden", "a", "a-b", "z");
        JsonNode all = call("list", "{'recursive': true}");
        assertThat(names(all)).containsExactly(".hidden", "a", "a-b", "sub", "x", "z");
        assertThat(all.path("entries").get(1).toString())
                .isEqualTo("{\"name\":\"a\",\"path\":\"" + workdir + "/a\",\"type\":\"dir\"}");
        assertThat(all.path("entries").get(5).path("size").asInt()).isEqualTo(2);
        assertThat(names(call("list", "{'recursive': true, 'includeFiles': false}"))).containsExactly("a", "sub");
        assertThat(names(call("list", "{'includeDirs': false}"))).containsExactly(".hidden", "a-b", "z");
    }

    @Test
    void aLongListIsCutAndSaysSo() throws Exception {
        for (String name : List.of("a", "b", "c"))
            Files.writeString(workdir.resolve(name), "");
        FileSystemModule module = new FileSystemModule(workdir);
        module.configure(object("{'maxEntries': 2}"));

        JsonNode result = call(module, "list", "{}");
        assertThat(names(result)).containsExactly("a", "b");
        assertThat(result.path("truncated").booleanValue()).isTrue();
        assertThat(call("list", "{}").has("truncated")).isFalse();
    }

    @Test
    void aListOfLongNamesIsCutBeforeItOutgrowsAResult() throws Exception {
        String part = "\u0001".repeat(200);
        Path deep = Files.createDirectories(workdir.resolve(part).resolve(part));
        for (int i = 0; i < 600; i++)
            Files.writeString(deep.resolve(part + i), "");

        JsonNode result = call("list", "{'recursive': true}");
        assertThat(result.path("truncated").booleanValue()).isTrue();
        assertThat(names(result)).hasSizeGreaterThan(200);
        assertThat(Json.MAPPER.writeValueAsBytes(result).length).isBetween(1_400_000, 1_520_000);
    }

    @Test
    void mkdirAcceptsAnExistingFolderOnlyWhenRecursive() throws Exception {
        assertThat(call("mkdir", "{'path': 'a/b'}").toString())
                .isEqualTo("{\"path\":\"" + workdir + "/a/b\",\"created\":true,\"recursive\":true}");
        assertThat(call("mkdir", "{'path': 'a/b'}").path("created").booleanValue()).isTrue();
        assertThat(failure("mkdir", "{'path': 'a/b', 'recursive': false}")).isEqualTo("EEXIST");
        assertThat(failure("mkdir", "{'path': 'n/m', 'recursive': false}")).isEqualTo("ENOENT");
        Files.writeString(workdir.resolve("f"), "");
        assertThat(failure("mkdir", "{'path': 'f'}")).isEqualTo("EEXIST");
    }

    @Test
    void noPathLeadsOutOfTheWorkdir() throws Exception {
        Files.createSymbolicLink(workdir.resolve("out"), outside);
        Files.createSymbolicLink(workdir.resolve("file"), outside.resolve("secret"));
        Files.createSymbolicLink(workdir.resolve("dangling"), outside.resolve("new"));
        Files.createSymbolicLink(workdir.resolve("up"), Path.of("../outside"));

        for (String path : List.of("..", "../outside/secret", "out/secret", "file", "up/secret", "dangling",
                "out/../out/secret", outside + "/secret", "/etc/passwd", "out/new/deeper")) {
            assertThat(failure("read", "{'path': '" + path + "'}")).as(path).isEqualTo("E_PATH_OUTSIDE_WORKDIR");
            assertThat(failure("write", "{'path': '" + path + "', 'content': 'x'}")).as(path)
                    .isEqualTo("E_PATH_OUTSIDE_WORKDIR");
            assertThat(failure("mkdir", "{'path': '" + path + "'}")).as(path).isEqualTo("E_PATH_OUTSIDE_WORKDIR");
            assertThat(failure("list", "{'path': '" + path + "'}")).as(path).isEqualTo("E_PATH_OUTSIDE_WORKDIR");
        }
        assertThat(outside).isDirectoryContaining("glob:**/secret");
        assertThat(outside.resolve("secret")).hasContent("secret");
        assertThat(outside.resolve("new")).doesNotExist();
    }

    @Test
    void linksAndAbsolutePathsInsideTheWorkdirWork() throws Exception {
        Files.writeString(workdir.resolve("a"), "text");
        Files.createSymbolicLink(workdir.resolve("link"), Path.of("a"));
        Files.createSymbolicLink(workdir.resolve("dangling"), Path.of("new"));
        Path alias = Files.createSymbolicLink(root.resolve("alias"), workdir);

        assertThat(call("read", "{'path': 'link'}").path("content").asString()).isEqualTo("text");
        assertThat(call("read", "{'path': '" + workdir + "/a'}").path("content").asString()).isEqualTo("text");
        call("write", "{'path': 'dangling', 'content': 'n'}");
        assertThat(workdir.resolve("new")).hasContent("n");
        workdir = alias;
        assertThat(call("read", "{'path': '" + alias + "/a'}").path("content").asString()).isEqualTo("text");
    }

    @Test
    void outsideIsOpenWhenConfigured() throws Exception {
        FileSystemModule module = new FileSystemModule(workdir);
        module.configure(object("{'allowOutsideWorkdir': true}"));
        assertThat(call(module, "read", "{'path': '../outside/secret'}").path("content").asString())
                .isEqualTo("secret");
    }

    @Test
    void errorsCarryTheSystemsCodeAndThePathAsGiven() throws Exception {
        Files.writeString(workdir.resolve("f"), "");
        Files.createSymbolicLink(workdir.resolve("loop"), Path.of("loop"));
        assertThat(failure("read", "{'path': '.'}")).isEqualTo("EISDIR");
        assertThat(failure("write", "{'path': '.', 'content': ''}")).isEqualTo("EISDIR");
        assertThat(failure("read", "{'path': 'f/x'}")).isIn("ENOTDIR", "ENOENT");
        assertThat(failure("list", "{'path': 'f'}")).isEqualTo("ENOTDIR");
        assertThat(failure("read", "{'path': 'loop'}")).isEqualTo("ELOOP");
        assertThat(failure("read", "{'path': '" + "x".repeat(300) + "'}")).isEqualTo("ENAMETOOLONG");
        assertThat(failure("read", "{'path': 'a\\u0000b'}")).isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(message("read", "{'path': 'no/such'}"))
                .isEqualTo("no such file or directory: 'no/such'");
    }

    @Test
    void aPipeIsRefusedInsteadOfWaitedFor() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", workdir.resolve("pipe").toString()).start().waitFor()).isZero();
        assertThat(failure("read", "{'path': 'pipe'}")).isEqualTo("EINVAL");
        assertThat(failure("write", "{'path': 'pipe', 'content': 'x'}")).isEqualTo("EINVAL");
    }

    /// A file and a pipe take turns under one name, while it is read and written.
    @Test
    void aFileThatIsSwappedForAPipeHoldsNoCall() throws Exception {
        Path racing = Files.createDirectory(workdir.resolve("racing"));
        assertThat(new ProcessBuilder("mkfifo", workdir.resolve("pipe").toString()).start().waitFor()).isZero();
        Files.writeString(workdir.resolve("file"), "text");
        swap(workdir.resolve("file"), racing.resolve("first"), racing.resolve("f"));
        AtomicBoolean ended = new AtomicBoolean();
        Thread racer = Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; !ended.get(); i++)
                swap(workdir.resolve(i % 2 == 0 ? "pipe" : "file"), racing.resolve("turn" + i), racing.resolve("f"));
        });
        try {
            FutureTask<Set<String>> calls = new FutureTask<>(() -> {
                Set<String> answers = new HashSet<>();
                for (int i = 0; i < SWAPPED_CALLS; i++) {
                    answers.add(answer("read", "{'path': 'racing/f'}"));
                    answers.add(answer("write", "{'path': 'racing/f', 'content': 'text', 'append': true}"));
                }
                return answers;
            });
            Thread.ofPlatform().daemon().start(calls);

            assertThat(calls.get(60, TimeUnit.SECONDS)).isSubsetOf("answered", "EINVAL");
        } finally {
            ended.set(true);
            racer.join();
        }
    }

    private static void swap(Path of, Path link, Path name) {
        try {
            Files.createLink(link, of);
            Files.move(link, name, StandardCopyOption.ATOMIC_MOVE);
            // A link to the very same file is not moved by rename(2).
            Files.deleteIfExists(link);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer(String export, String json) throws Exception {
        try {
            call(export, json);
            return "answered";
        } catch (ToolException e) {
            return e.code();
        }
    }

    private static List<String> names(JsonNode result) {
        assertThat(result.path("count").asInt()).isEqualTo(result.path("entries").size());
        return result.path("entries").values().stream().map(entry -> entry.path("name").asString()).toList();
    }

    private JsonNode call(String export, String json) throws Exception {
        return call(new FileSystemModule(workdir), export, json);
    }

    private JsonNode call(FileSystemModule module, String export, String json) throws Exception {
        ToolOutput output = Objects.requireNonNull(module.handlers().get(export)).handle(FakeToolContext.in(workdir),
                object(json));
        return (JsonNode) Objects.requireNonNull(((ToolOutput.Value) Objects.requireNonNull(output)).value());
    }

    private String failure(String export, String json) throws Exception {
        try {
            return "answered " + call(export, json);
        } catch (ToolException e) {
            return e.code();
        }
    }

    private String message(String export, String json) throws Exception {
        try {
            return "answered " + call(export, json);
        } catch (ToolException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) LENIENT.readTree(json);
    }
}
