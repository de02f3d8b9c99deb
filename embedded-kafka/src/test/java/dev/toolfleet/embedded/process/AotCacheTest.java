package dev.toolfleet.embedded.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class AotCacheTest {
    @Test
    void liesBesideItsJar(@TempDir Path folder) throws Exception {
        AotCache cache = AotCache.of(folder.resolve("toolfleet.jar"));

        assertThat(cache.file()).isEqualTo(folder.resolve("toolfleet.aot"));
        assertThat(cache.exists()).isFalse();
        Files.writeString(cache.file(), "");
        assertThat(cache.exists()).isTrue();
        assertThat(cache.use()).contains("-XX:AOTCache=" + cache.file());
    }

    @Test
    void belongsToTheFirstJarOfAClassPathOfJars() {
        Path jar = Path.of("toolfleet.jar").toAbsolutePath();

        assertThat(AotCache.ofClassPath(jar.toString())).contains(AotCache.of(jar));
        assertThat(AotCache.ofClassPath(jar + File.pathSeparator + "toolfleet-bench.jar")).contains(AotCache.of(jar));
    }

    @Test
    void aJvmThatRunsFromFoldersHasNone() {
        assertThat(System.getProperty("java.class.path")).contains(File.pathSeparator);
        assertThat(AotCache.ofThisJvm()).isEmpty();
        assertThat(AotCache.ofClassPath("toolfleet.jar" + File.pathSeparator + "target/classes")).isEmpty();
    }

    @Test
    void flagsOfTheCallerComeFirst() {
        assertThat(AotCache.isDecidedBy(List.of("-Xmx512m", "-XX:+UseG1GC"))).isFalse();
        assertThat(AotCache.isDecidedBy(List.of("-Xmx512m", "-XX:AOTMode=off"))).isTrue();
        assertThat(AotCache.isDecidedBy(AotCache.learn(Path.of("learned")))).isTrue();
    }
}
