package dev.toolfleet.sessions;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.sessions.";

    private static final String ROWS = """
            app
            http
            topology
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
    }

    @Test
    void theWorkerIsMetOnTopicsOnly() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("dev.toolfleet.worker..", "dev.toolfleet.catalog..",
                        "dev.toolfleet.gateway..")
                .check(CLASSES);
    }
}
