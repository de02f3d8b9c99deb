package dev.toolfleet.client;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.client");

    @Test
    void topicsStandBelowTheClient() {
        noClasses().that().resideInAPackage("dev.toolfleet.client.topics").should().dependOnClassesThat()
                .resideInAPackage("dev.toolfleet.client").check(CLASSES);
    }

    @Test
    void rolesStandAboveTheTopicsAndBelowTheClient() {
        noClasses().that().resideInAPackage("dev.toolfleet.client.access").should().dependOnClassesThat()
                .resideInAPackage("dev.toolfleet.client").check(CLASSES);
        noClasses().that().resideInAPackage("dev.toolfleet.client.topics").should().dependOnClassesThat()
                .resideInAPackage("dev.toolfleet.client.access").check(CLASSES);
    }

    @Test
    void formatsKnowNothingOfKafkaAndTheClient() {
        noClasses().that().resideInAPackage("dev.toolfleet.client.format").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client", "dev.toolfleet.client.topics..",
                        "java.net..")
                .check(CLASSES);
    }

    @Test
    void turnsStandAboveTheClient() {
        noClasses().that().resideOutsideOfPackage("dev.toolfleet.client.turn").should().dependOnClassesThat()
                .resideInAPackage("dev.toolfleet.client.turn").check(CLASSES);
    }

    @Test
    void theClientKnowsNoOtherModuleThanContracts() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("dev.toolfleet.worker..",
                "dev.toolfleet.catalogservice..", "dev.toolfleet.embedded..", "dev.toolfleet.cli..").check(CLASSES);
    }
}
