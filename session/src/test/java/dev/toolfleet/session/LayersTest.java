package dev.toolfleet.session;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.session.";

    /// Rows from the top down: a package imports from rows below its own, never from its own row.
    private static final List<String> ROWS = """
            compaction
            prompt window
            file
            message tokens
            transcript lock
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
        assertThat(CLASSES).isNotEmpty();
        assertThat(upwards).isEmpty();
    }

    /// A runtime without Kafka can use the library.
    @Test
    void onlyContractsAreKnown() {
        classes().should().onlyDependOnClassesThat()
                .resideInAnyPackage("dev.toolfleet.session..", "dev.toolfleet.json..", "dev.toolfleet.wire..",
                        "tools.jackson..", "org.jspecify..", "java..")
                .check(CLASSES);
    }

    private static int row(JavaClass type) {
        String name = type.getPackageName().substring(ROOT.length());
        for (int row = 0; row < ROWS.size(); row++) {
            if (List.of(ROWS.get(row).split(" +")).contains(name))
                return row;
        }
        throw new IllegalStateException(type.getPackageName() + " has no row");
    }
}
