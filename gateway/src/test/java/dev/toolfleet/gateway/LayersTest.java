package dev.toolfleet.gateway;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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
                .layer("openapi").definedBy("dev.toolfleet.gateway.openapi..")
                .layer("access").definedBy("dev.toolfleet.gateway.access..")
                .layer("jwt").definedBy("dev.toolfleet.gateway.jwt..")
                .layer("limits").definedBy("dev.toolfleet.gateway.limits..")
                .layer("readers").definedBy("dev.toolfleet.gateway.readers..")
                .layer("readmodel").definedBy("dev.toolfleet.gateway.readmodel..")
                .layer("webhook").definedBy("dev.toolfleet.gateway.webhook..")
                .layer("topology").definedBy("dev.toolfleet.gateway.topology..")
                .layer("lists").definedBy("dev.toolfleet.gateway.lists..")
                .layer("calls").definedBy("dev.toolfleet.gateway.calls..")
                .whereLayer("app").mayNotBeAccessedByAnyLayer()
                .whereLayer("rest").mayOnlyBeAccessedByLayers("app")
                .whereLayer("access").mayOnlyBeAccessedByLayers("app", "rest", "openapi")
                .whereLayer("openapi").mayOnlyBeAccessedByLayers("rest")
                .whereLayer("jwt").mayOnlyBeAccessedByLayers("access")
                .whereLayer("limits").mayOnlyBeAccessedByLayers("app", "access", "rest")
                .whereLayer("readers").mayOnlyBeAccessedByLayers("app")
                .whereLayer("readmodel").mayOnlyBeAccessedByLayers("app")
                .whereLayer("webhook").mayOnlyBeAccessedByLayers("app", "rest")
                .whereLayer("topology").mayOnlyBeAccessedByLayers("readmodel")
                .whereLayer("lists").mayOnlyBeAccessedByLayers("app", "rest", "readers")
                .whereLayer("calls")
                .mayOnlyBeAccessedByLayers("app", "rest", "readers", "readmodel", "webhook", "topology", "lists")
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
    void routesAndWebhooksKnowNothingOfKafka() {
        noClasses().that()
                .resideInAnyPackage("dev.toolfleet.gateway.rest..", "dev.toolfleet.gateway.access..",
                        "dev.toolfleet.gateway.webhook..")
                .should().dependOnClassesThat().resideInAPackage("org.apache.kafka..").check(classes);
    }

    @Test
    void otherServicesAreMetOnTopicsOnlyAndOfToolsTheAddressesAlone() {
        noClasses().should().dependOnClassesThat(resideInAnyPackage("dev.toolfleet.worker..", "dev.toolfleet.catalog..")
                .and(not(resideInAPackage("dev.toolfleet.worker.egress")))).check(classes);
        noClasses().that().resideOutsideOfPackage("dev.toolfleet.gateway.webhook..").should().dependOnClassesThat()
                .resideInAPackage("dev.toolfleet.worker..").check(classes);
    }
}
