package dev.toolfleet.worker;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/// Rows of this module: imports go down; inside a row only within a package.
class LayersTest {
    private static final String ROOT = "dev.toolfleet.worker.";
    private static final String ROWS = """
            catalog
            registry    state
            telemetry
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
    }

    @Test
    void toolsAndTopologiesAreUnknown() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka.streams..",
                "org.apache.kafka.clients.producer..", "dev.toolfleet.worker.tools..", "dev.toolfleet.worker.sandbox..",
                "dev.toolfleet.client..", "dev.toolfleet.catalog..", "dev.toolfleet.http..").check(CLASSES);
    }

    @Test
    void noTypesOfOnePackageNeedEachOther() {
        assertThat(TypeCycles.of(CLASSES).found()).isEmpty();
    }
}
