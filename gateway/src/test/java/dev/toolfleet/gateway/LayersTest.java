package dev.toolfleet.gateway;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class LayersTest {
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.gateway");

    @Test
    void viewsKnowNothingOfKafkaAndHttp() {
        noClasses().that().resideInAPackage("dev.toolfleet.gateway.calls..").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..", "dev.toolfleet.http..",
                        "io.javalin..")
                .check(classes);
    }

    @Test
    void otherServicesAreMetOnTopicsOnly() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("dev.toolfleet.worker..", "dev.toolfleet.catalog..").check(classes);
    }
}
