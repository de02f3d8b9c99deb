package dev.toolfleet.worker;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/// The picture of this module: imports go down the rows; inside a row only within a package.
class LayersTest {
    private static final String ROOT = "dev.toolfleet.worker.";
    private static final String ROWS = """
            app
            poll        completion  registration
            pipeline
            override
            recovery
            record
            call
            lane        commit      middleware
            policy      limit       execute     identity    bridge
            agents
            assignment
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
    }

    @Test
    void noPackagesNeedEachOther() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void noTypesOfOnePackageNeedEachOther() {
        assertThat(TypeCycles.of(CLASSES).found()).isEmpty();
    }
}
