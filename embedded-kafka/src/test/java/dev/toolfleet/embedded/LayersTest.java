package dev.toolfleet.embedded;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class LayersTest {

    private static final String BROKER = "dev.toolfleet.embedded";
    private static final String JUNIT = "dev.toolfleet.embedded.junit";

    @Test
    void theBrokerKnowsNothingOfJUnitAndTheModuleNothingOfTheFleet() {
        var classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(BROKER);

        noClasses().that().resideInAPackage(BROKER).should().dependOnClassesThat()
                .resideInAnyPackage(JUNIT, "org.junit..").check(classes);
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("dev.toolfleet.wire..", "dev.toolfleet.worker..", "dev.toolfleet.client..")
                .check(classes);
    }
}
