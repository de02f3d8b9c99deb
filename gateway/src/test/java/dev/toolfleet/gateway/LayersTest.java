package dev.toolfleet.gateway;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

class LayersTest {
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.gateway");

    @Test
    void importsGoDownTheRows() {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
                .layer("readmodel").definedBy("dev.toolfleet.gateway.readmodel..")
                .layer("topology").definedBy("dev.toolfleet.gateway.topology..")
                .layer("calls").definedBy("dev.toolfleet.gateway.calls..")
                .whereLayer("topology").mayOnlyBeAccessedByLayers("readmodel")
                .whereLayer("calls").mayOnlyBeAccessedByLayers("readmodel", "topology")
                .check(classes);
    }

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
