package dev.toolfleet;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/// Rows of this module: packages import only downwards.
class LayersTest {
    private static final String ROOT = "dev.toolfleet.";

    /// From the top down. Packages of one row must not import each other.
    private static final List<Set<String>> ROWS = List.of(Set.of("policy"), Set.of("resources"), Set.of("config"),
            Set.of("bundle"));

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void everyPackageHasItsRow() {
        Set<String> placed = ROWS.stream().flatMap(Set::stream).collect(Collectors.toSet());

        assertThat(
                CLASSES.stream().map(type -> type.getPackageName().substring(ROOT.length()).replaceFirst("\\..*", "")))
                .isSubsetOf(placed);
    }

    @Test
    void importsOnlyGoDown() {
        for (int row = 0; row < ROWS.size(); row++) {
            for (String name : ROWS.get(row)) {
                String[] above = packages(Stream.concat(ROWS.subList(0, row).stream().flatMap(Set::stream),
                        ROWS.get(row).stream().filter(sister -> !sister.equals(name))));
                if (above.length > 0)
                    classesOf(name).should().dependOnClassesThat().resideInAnyPackage(above).allowEmptyShould(true)
                            .as("'" + name + "' imports downwards").check(CLASSES);
            }
        }
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void declarationsKnowNoKafka() {
        noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.kafka..").check(CLASSES);
    }

    /// Otherwise: the rules above hold because there are no classes.
    @Test
    void theRulesHaveSomethingToJudge() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName)).contains(ROOT + "policy", ROOT + "resources",
                ROOT + "config", ROOT + "bundle");
    }

    private static GivenClassesConjunction classesOf(String name) {
        return noClasses().that().resideInAPackage(ROOT + name + "..");
    }

    private static String[] packages(Stream<String> names) {
        return names.map(name -> ROOT + name + "..").toArray(String[]::new);
    }
}
