package dev.toolfleet.worker;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/// Rows of this module: imports go down; inside a row only within a package.
class LayersTest {
    private static final String ROOT = "dev.toolfleet.worker.";
    private static final List<List<String>> ROWS = """
            catalog
            registry    state
            telemetry
            """.lines().map(row -> List.of(row.split(" +"))).toList();

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        Set<String> upwards = new TreeSet<>();
        for (JavaClass from : CLASSES) {
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                JavaClass to = dependency.getTargetClass();
                if (CLASSES.contain(to.getName()) && !to.getPackage().equals(from.getPackage()) && row(from) >= row(to))
                    upwards.add(from.getName() + " -> " + to.getName());
            }
        }
        assertThat(upwards).isEmpty();
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

    private static int row(JavaClass type) {
        String name = type.getPackageName().substring(ROOT.length());
        return IntStream.range(0, ROWS.size()).filter(row -> ROWS.get(row).contains(name)).findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " has no row"));
    }
}
