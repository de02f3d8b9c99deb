package dev.toolfleet;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/// The module's rows: packages import only downwards. A row without classes is reserved.
class LayersTest {
    private static final String ROOT = "dev.toolfleet.";

    /// From the top down. Packages of one row must not import each other.
    private static final List<Set<String>> ROWS = List.of(Set.of("middleware"), Set.of("tool"),
            Set.of("topic", "identity"), Set.of("wire"), Set.of("error"), Set.of("json"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet");

    @Test
    void everyPackageHasItsRow() {
        Set<String> placed = ROWS.stream().flatMap(Set::stream).collect(Collectors.toSet());

        assertThat(CLASSES.getPackage("dev.toolfleet").getSubpackages()).extracting(JavaPackage::getName)
                .extracting(name -> name.substring(ROOT.length())).isSubsetOf(placed);
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
    void contractsKnowNeitherKafkaNorYaml() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka..", "org.snakeyaml..")
                .check(CLASSES);
    }

    /// Otherwise: the rules above hold because there are no classes.
    @Test
    void theRulesHaveSomethingToJudge() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName)).contains(ROOT + "wire", ROOT + "json",
                ROOT + "tool", ROOT + "middleware", ROOT + "identity", ROOT + "topic", ROOT + "error");
    }

    private static GivenClassesConjunction classesOf(String name) {
        return noClasses().that().resideInAPackage(ROOT + name + "..");
    }

    private static String[] packages(Stream<String> names) {
        return names.map(name -> ROOT + name + "..").toArray(String[]::new);
    }
}
