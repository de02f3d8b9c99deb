package dev.toolfleet.catalog;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.catalog.";

    private static final String ROWS = """
            app
            http        sweep
            topology
            assemble
            middleware
            builtin     telemetry     prompt
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
    }

    @Test
    void assemblyKnowsNothingOfKafka() {
        noClasses().that().resideInAnyPackage("dev.toolfleet.catalog.assemble..",
                "dev.toolfleet.catalog.middleware..", "dev.toolfleet.catalog.builtin..").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..").check(CLASSES);
    }

    @Test
    void httpKnowsFormatsAndNoPartOfTheTopology() {
        noClasses().that().resideInAPackage("dev.toolfleet.catalog.http..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.toolfleet.catalog.topology..", "dev.toolfleet.catalog.assemble..",
                        "dev.toolfleet.catalog.middleware..", "dev.toolfleet.catalog.builtin..")
                .check(CLASSES);
    }

    @Test
    void httpKnowsNothingOfKafka() {
        noClasses().that().resideInAPackage("dev.toolfleet.catalog.http..").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client", "dev.toolfleet.client.topics..",
                        "dev.toolfleet.client.access..", "dev.toolfleet.client.audit..")
                .check(CLASSES);
    }

    @Test
    void theWorkerIsMetOnTopicsOnly() {
        noClasses().should().dependOnClassesThat().resideInAPackage("dev.toolfleet.worker..").check(CLASSES);
    }
}
