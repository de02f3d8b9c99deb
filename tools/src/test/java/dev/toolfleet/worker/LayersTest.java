package dev.toolfleet.worker;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.worker.";

    private static final String ROWS = """
            runtime.builtin
            tools.*
            tools.args  sandbox
            egress
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
    }

    @Test
    void neitherKafkaNorAnotherModuleThanContractsIsKnown() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..",
                "dev.toolfleet.loading..", "dev.toolfleet.catalog..", "dev.toolfleet.http..").check(CLASSES);
        assertThat(CLASSES).isNotEmpty().allSatisfy(from -> assertThat(from.getDirectDependenciesFromSelf()).extracting(
                dependency -> dependency.getTargetClass().getBaseComponentType()).allSatisfy(
                        to -> assertThat(to.getPackageName().startsWith(ROOT) && !CLASSES.contain(to.getName()))
                                .isFalse()));
    }
}
