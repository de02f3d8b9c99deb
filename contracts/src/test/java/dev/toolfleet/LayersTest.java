package dev.toolfleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.";

    /// Rows from the top down: a package imports from rows below its own, never from its own row.
    private static final List<String> ROWS = """
            middleware
            tool
            topic   identity
            wire
            error   json
            """.lines().toList();

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        LayeredArchitecture rows = layeredArchitecture().consideringOnlyDependenciesInLayers()
                .ensureAllClassesAreContainedInArchitecture();
        List<String> above = new ArrayList<>();
        for (String row : ROWS) {
            List<String> names = List.of(row.split(" +"));
            for (String name : names)
                rows = rows.layer(name).definedBy(ROOT + name + "..");
            for (String name : names)
                rows = above.isEmpty()
                        ? rows.whereLayer(name).mayNotBeAccessedByAnyLayer()
                        : rows.whereLayer(name).mayOnlyBeAccessedByLayers(above.toArray(String[]::new));
            above.addAll(names);
        }
        rows.check(CLASSES);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void contractsKnowNeitherKafkaNorYaml() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka..", "org.snakeyaml..")
                .check(CLASSES);
    }
}
