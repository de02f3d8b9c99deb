package dev.toolfleet.worker;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/// Rows of this module: imports go down; no built-in Tool imports another.
class LayersTest {
    private static final String ROOT = "dev.toolfleet.worker.";

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

    private static int row(JavaClass type) {
        return switch (type.getPackageName().substring(ROOT.length())) {
            case "runtime.builtin" -> 0;
            case "tools.args", "sandbox" -> 2;
            case "egress" -> 3;
            case String name when name.startsWith("tools.") -> 1;
            case String name -> throw new IllegalStateException(name + " has no row");
        };
    }
}
