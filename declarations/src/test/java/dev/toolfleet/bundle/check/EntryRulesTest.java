package dev.toolfleet.bundle.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.yaml.BundleLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class EntryRulesTest {
    @TempDir
    Path folder;

    @Test
    void aJarInTheBundleIsFound() throws IOException {
        jar("lib/acme.jar", "com/acme/Audit.class");

        assertThat(problems("./lib/acme.jar#com.acme.Audit")).isEmpty();
    }

    @Test
    void aJarHasTheClassThatTheEntryNames() throws IOException {
        jar("lib/acme.jar", "com/acme/Other.class");
        write("lib/text.jar", "no jar at all");

        assertThat(problems("./lib/acme.jar#com.acme.Audit")).containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);
        assertThat(problems("./lib/text.jar#com.acme.Audit")).containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);
    }

    @Test
    void aFolderIsNoJar() throws IOException {
        write("acme.jar/x", "");

        assertThat(problems("acme.jar#com.acme.Audit")).containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);
    }

    @Test
    void typeScriptIsFoundInItsCompiledForm() throws IOException {
        write("dist/tools/audit.js", "");
        write("tools/lint.mjs", "");

        assertThat(problems("./src/tools/audit.ts")).containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_RUN);
        assertThat(problems("./tools/lint.mts")).containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_RUN);
        assertThat(problems("./tools/other.ts")).containsExactlyInAnyOrder(ProblemCode.E_CONFIG_ENTRY_NOT_RUN,
                ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);
    }

    @Test
    void anExecutableHasItsBit() throws IOException {
        write("bin/run", "#!/bin/sh");
        assertThat(tool("./bin/run")).containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);

        assertThat(folder.resolve("bin/run").toFile().setExecutable(true)).isTrue();
        assertThat(tool("./bin/run")).isEmpty();
        write("bin/run.py", "");
        assertThat(tool("./bin/run.py")).isEmpty();
    }

    private Iterable<ProblemCode> tool(String entry) throws IOException {
        return problems("Tool", "{entry: \"" + entry + "\", exports: [{name: run, description: Runs, parameters: "
                + "{type: object, additionalProperties: false}, annotations: {readOnly: true}}]}");
    }

    @Test
    void theBridgeToMcpServersIsAnExtensionThatOnlyBundlesDeclare() throws IOException {
        assertThat(problems("builtin:mcp")).isEmpty();
        assertThat(problems("builtin:mpc")).containsExactly(ProblemCode.E_CONFIG_ENTRY_NOT_FOUND);
    }

    private Iterable<ProblemCode> problems(String entry) throws IOException {
        return problems("Extension", "{entry: \"" + entry + "\"}");
    }

    private Iterable<ProblemCode> problems(String kind, String spec) throws IOException {
        write("goondan.yaml",
                "apiVersion: goondan.ai/v1\nkind: " + kind + "\nmetadata: {name: audit}\nspec: " + spec + "\n");
        return new BundleValidator(BuiltIns.none()).validate(BundleLoader.load(folder)).problems().stream()
                .map(BundleProblem::code).toList();
    }

    private void jar(String file, String entry) throws IOException {
        write(file, "");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(folder.resolve(file)))) {
            zip.putNextEntry(new ZipEntry(entry));
        }
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
