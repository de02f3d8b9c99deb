package dev.toolfleet.session;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.session.";

    private static final String ROWS = """
            compaction
            prompt window
            file
            message tokens
            transcript lock
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
    }

    /// A runtime without Kafka can use the library.
    @Test
    void onlyContractsAreKnown() {
        classes().should().onlyDependOnClassesThat()
                .resideInAnyPackage("dev.toolfleet.session..", "dev.toolfleet.json..", "dev.toolfleet.wire..",
                        "tools.jackson..", "org.jspecify..", "java..")
                .check(CLASSES);
    }
}
