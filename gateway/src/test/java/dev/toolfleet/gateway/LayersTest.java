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
                .layer("app").definedBy("dev.toolfleet.gateway.app..")
                .layer("rest").definedBy("dev.toolfleet.gateway.rest..")
                .layer("access").definedBy("dev.toolfleet.gateway.access..")
                .layer("readmodel").definedBy("dev.toolfleet.gateway.readmodel..")
                .layer("topology").definedBy("dev.toolfleet.gateway.topology..")
                .layer("calls").definedBy("dev.toolfleet.gateway.calls..")
                .whereLayer("app").mayNotBeAccessedByAnyLayer()
                .whereLayer("rest").mayOnlyBeAccessedByLayers("app")
                .whereLayer("access").mayOnlyBeAccessedByLayers("app", "rest")
                .whereLayer("readmodel").mayOnlyBeAccessedByLayers("app")
                .whereLayer("topology").mayOnlyBeAccessedByLayers("readmodel")
                .whereLayer("calls").mayOnlyBeAccessedByLayers("rest", "readmodel", "topology")
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
    void routesKnowNothingOfKafka() {
        noClasses().that().resideInAnyPackage("dev.toolfleet.gateway.rest..", "dev.toolfleet.gateway.access..")
                .should().dependOnClassesThat().resideInAPackage("org.apache.kafka..").check(classes);
    }

    @Test
    void otherServicesAreMetOnTopicsOnly() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("dev.toolfleet.worker..", "dev.toolfleet.catalog..").check(classes);
    }
}
