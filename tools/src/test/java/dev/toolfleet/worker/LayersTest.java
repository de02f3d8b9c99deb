package dev.toolfleet.worker;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.worker.";

    /// Rows from the top down: a package imports from rows below its own, never from its own row.
    private static final List<String> ROWS = """
            runtime.builtin
            tools.*
            tools.args  sandbox
            egress
            """.lines().toList();

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
    void neitherKafkaNorAnotherModuleThanContractsIsKnown() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..",
                "dev.toolfleet.loading..", "dev.toolfleet.catalog..", "dev.toolfleet.http..").check(CLASSES);
        assertThat(CLASSES).isNotEmpty().allSatisfy(from -> assertThat(from.getDirectDependenciesFromSelf()).extracting(
                dependency -> dependency.getTargetClass().getBaseComponentType()).allSatisfy(
                        to -> assertThat(to.getPackageName().startsWith(ROOT) && !CLASSES.contain(to.getName()))
                                .isFalse()));
    }

    /// Returns the row of a class: that of its package before that of a pattern.
    private static int row(JavaClass type) {
        String name = type.getPackageName().substring(ROOT.length());
        for (String spelling : List.of(name, name.replaceFirst("\\..*", ".*"))) {
            for (int row = 0; row < ROWS.size(); row++) {
                if (List.of(ROWS.get(row).split(" +")).contains(spelling))
                    return row;
            }
        }
        throw new IllegalStateException(name + " has no row");
    }
}
