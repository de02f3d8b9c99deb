package dev.toolfleet.loading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.HostIsolation;
import dev.toolfleet.bundle.ToolNaming;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.json.Digests;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EntryModulesTest {
    private static final EntryKind.JarClass IN_JAR = new EntryKind.JarClass("./lib/x.jar", "acme.Own");

    @TempDir
    Path bundles;

    private ModuleLoader loader = new EntryModules(bundle -> Path.of(bundle), Map.of(), Map.of());

    /// A Tool without exports.
    public static final class Silent implements ToolModule {
        @Override
        public Map<String, ToolHandler> handlers() {
            return Map.of();
        }
    }

    /// An Extension without layers.
    public static final class Bare implements ExtensionModule {
        @Override
        public void register(ExtensionRegistrar registrar, ObjectNode config) {}
    }

    /// No module, which leaves a trace when it is initialised.
    public static final class Eager {
        static {
            System.setProperty("toolfleet.test.eager", "ran");
        }
    }

    private ToolModule tool(String bundle, EntryKind entry, Map<String, String> files) {
        return loader.tool(bundle, new ToolSpec("t", entry.text(), ToolSpec.DEFAULT_ERROR_MESSAGE_LIMIT,
                Optional.empty(), HostIsolation.BUNDLE, true, ToolNaming.SEPARATED, List.of()), files);
    }

    @BeforeEach
    void folders() {
        loader = new EntryModules(bundles::resolve, Map.of("silent", Silent::new), Map.of("bare", Bare::new));
    }

    @Test
    void aClassOnTheClassPathBecomesAModule() {
        assertThat(tool("acme", new EntryKind.JavaClass(Silent.class.getName()), Map.of()))
                .isInstanceOf(Silent.class);
        assertThat(loader.extension("acme", new EntryKind.JavaClass(Bare.class.getName()), Map.of()))
                .isInstanceOf(Bare.class);
    }

    @Test
    void aClassOfTheWrongKindIsRefusedByName() {
        assertThatThrownBy(
                () -> loader.extension("acme", new EntryKind.JavaClass(Silent.class.getName()), Map.of()))
                .isInstanceOf(ModuleLoadException.class).hasMessageContaining(Silent.class.getName())
                .hasMessageContaining(ExtensionModule.class.getName());
    }

    @Test
    void theClassOfABuiltInToolIsNotReachedByItsName() throws IOException {
        String own = EntryKind.OWN_TOOLS + "httpfetch.HttpFetchModule";
        Path jar = jar();

        assertThatThrownBy(() -> tool("acme", new EntryKind.JavaClass(own), Map.of()))
                .isInstanceOf(ModuleLoadException.class).hasMessageContaining("its entry is builtin:NAME");
        assertThatThrownBy(() -> tool("acme", new EntryKind.JarClass("lib/x.jar", own),
                Map.of("lib/x.jar", digest(jar)))).isInstanceOf(ModuleLoadException.class)
                .hasMessageContaining("its entry is builtin:NAME");
    }

    @Test
    void builtInsAreMadeAnewAndAnUnknownNameIsAnsweredWithTheKnownOnes() {
        assertThat(tool("@toolfleet/base", new EntryKind.Builtin("silent"), Map.of()))
                .isInstanceOf(Silent.class);
        assertThatThrownBy(() -> loader.extension("@toolfleet/base", new EntryKind.Builtin("silent"), Map.of()))
                .isInstanceOf(ModuleLoadException.class)
                .hasMessage("no built-in extension is called 'silent'; there are: bare");
    }

    @Test
    void aJarOfTheBundleGetsAClassLoaderOfItsOwn() throws IOException {
        Path jar = jar();

        ToolModule module = tool("acme", IN_JAR, Map.of("lib/x.jar", digest(jar)));
        ClassLoader own = module.getClass().getClassLoader();
        assertThat(own).isInstanceOf(JarClassLoader.class);
        assertThat(tool("acme", IN_JAR, Map.of("lib/x.jar", digest(jar))).getClass().getClassLoader())
                .isNotSameAs(own);
        new LoadedModule<>("x", module).release();
        assertThat(own.getResource("acme/Own.class")).isNull();
    }

    @Test
    void aJarThatIsNotTheAppliedOneIsRefusedWithBothDigests() throws IOException {
        Path jar = jar();

        assertThatThrownBy(() -> tool("acme", IN_JAR, Map.of("lib/x.jar", "sha256:other")))
                .isInstanceOf(ModuleLoadException.class).hasMessageContaining(digest(jar))
                .hasMessageContaining("sha256:other").hasMessageContaining(jar.toString());
    }

    @Test
    void aJarThatIsRefusedLeavesNoCopy() throws IOException {
        String content = UUID.randomUUID().toString();
        Files.writeString(Files.createDirectories(bundles.resolve("acme/lib")).resolve("x.jar"), content);

        assertThatThrownBy(() -> tool("acme", IN_JAR, Map.of("lib/x.jar", "sha256:other")))
                .isInstanceOf(ModuleLoadException.class);
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.filter(file -> file.getFileName().toString().endsWith(".jar")
                    && file.toFile().length() == content.length())).noneSatisfy(
                            file -> assertThat(file).hasContent(content));
        }
    }

    @Test
    void aNameThatIsAPathLoadsNothing() throws IOException {
        Path jar = jar();
        Map<String, String> files = Map.of("lib/x.jar", digest(jar));

        for (String name : List.of(bundles.resolve("acme").toString(), "../" + bundles.getFileName() + "/acme",
                "acme/.",
                "..", "", "@acme/../acme")) {
            assertThatThrownBy(() -> tool(name, IN_JAR, files)).as(name)
                    .isInstanceOf(ModuleLoadException.class).hasMessageContaining("no name of a bundle");
        }
    }

    @Test
    void aJarWithoutADigestIsNotLoaded() throws IOException {
        jar();

        assertThatThrownBy(() -> tool("acme", IN_JAR, Map.of())).isInstanceOf(ModuleLoadException.class)
                .hasMessageContaining("lib/x.jar").hasMessageContaining("no digest");
    }

    @Test
    void aLinkOutOfTheBundlesFolderIsNotFollowed() throws IOException {
        Path jar = jar();
        Files.createSymbolicLink(Files.createDirectories(bundles.resolve("evil/lib")).resolve("x.jar"), jar);

        assertThatThrownBy(() -> tool("evil", IN_JAR, Map.of("lib/x.jar", digest(jar))))
                .isInstanceOf(ModuleLoadException.class).hasMessageContaining("outside of its bundle's folder");
    }

    @Test
    void aBundlesFolderMayItselfBeALink() throws IOException {
        Path jar = jar();
        Files.createSymbolicLink(bundles.resolve("placed"), bundles.resolve("acme"));

        assertThat(tool("placed", IN_JAR, Map.of("lib/x.jar", digest(jar)))).isNotNull();
    }

    @Test
    void nothingRunsOfAClassOfTheWrongKind() {
        assertThatThrownBy(() -> tool("acme", new EntryKind.JavaClass(Eager.class.getName()), Map.of()))
                .isInstanceOf(ModuleLoadException.class).hasMessageContaining(ToolModule.class.getName());
        assertThat(System.getProperty("toolfleet.test.eager")).isNull();
    }

    @Test
    void aMissingJarIsNamed() {
        assertThatThrownBy(() -> tool("acme", IN_JAR, Map.of("lib/x.jar", "sha256:some")))
                .isInstanceOf(ModuleLoadException.class).hasMessageContaining("lib/x.jar")
                .hasMessageContaining("sha256:some").hasMessageContaining("is missing");
    }

    /// A jar with a Tool that is nowhere else.
    private Path jar() throws IOException {
        Path lib = Files.createDirectories(bundles.resolve("acme/lib"));
        Path source = Files.writeString(Files.createDirectories(lib.resolve("acme")).resolve("Own.java"), """
                package acme;
                public class Own implements dev.toolfleet.tool.ToolModule {
                    public java.util.Map<String, dev.toolfleet.tool.ToolHandler> handlers() { return java.util.Map.of(); }
                }
                """);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"), "-d",
                lib.toString(), source.toString())).isZero();
        Path jar = lib.resolve("x.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("acme/Own.class"));
            Files.copy(lib.resolve("acme/Own.class"), out);
        }
        return jar;
    }

    private static String digest(Path file) throws IOException {
        return Digests.of(Digests.newSha256().digest(Files.readAllBytes(file)));
    }
}
