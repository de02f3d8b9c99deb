package dev.toolfleet;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.";

    private static final String ROWS = """
            middleware
            tool
            topic   identity
            wire
            error   json
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
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
