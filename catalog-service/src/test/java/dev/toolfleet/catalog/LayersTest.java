package dev.toolfleet.catalog;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

class LayersTest {
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.catalog");

    @Test
    void importsGoDownTheRows() {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
                .layer("app").definedBy("dev.toolfleet.catalog.app..")
                .layer("http").definedBy("dev.toolfleet.catalog.http..")
                .layer("sweep").definedBy("dev.toolfleet.catalog.sweep..")
                .layer("topology").definedBy("dev.toolfleet.catalog.topology..")
                .layer("format").definedBy("dev.toolfleet.catalog.format..")
                .layer("assemble").definedBy("dev.toolfleet.catalog.assemble..")
                .layer("middleware").definedBy("dev.toolfleet.catalog.middleware..")
                .layer("builtin").definedBy("dev.toolfleet.catalog.builtin..")
                .layer("telemetry").definedBy("dev.toolfleet.catalog.telemetry..")
                .whereLayer("app").mayNotBeAccessedByAnyLayer()
                .whereLayer("http").mayOnlyBeAccessedByLayers("app")
                .whereLayer("sweep").mayOnlyBeAccessedByLayers("app")
                .whereLayer("topology").mayOnlyBeAccessedByLayers("app", "sweep")
                .whereLayer("format").mayOnlyBeAccessedByLayers("http")
                .whereLayer("assemble").mayOnlyBeAccessedByLayers("topology", "app")
                .whereLayer("middleware").mayOnlyBeAccessedByLayers("assemble", "topology", "app")
                .whereLayer("builtin").mayOnlyBeAccessedByLayers("middleware", "app")
                .whereLayer("telemetry").mayOnlyBeAccessedByLayers("middleware", "assemble", "topology", "http", "app")
                .check(classes);
    }

    @Test
    void assemblyKnowsNothingOfKafka() {
        noClasses().that().resideInAnyPackage("dev.toolfleet.catalog.assemble..",
                "dev.toolfleet.catalog.middleware..", "dev.toolfleet.catalog.builtin..").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..").check(classes);
    }

    @Test
    void httpKnowsNothingOfKafkaAndFormatsKnowNothingOfHttp() {
        noClasses().that().resideInAPackage("dev.toolfleet.catalog.http..").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..").check(classes);
        noClasses().that().resideInAPackage("dev.toolfleet.catalog.format..").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..", "io.javalin..", "java.net.http..")
                .check(classes);
    }

    @Test
    void theWorkerIsMetOnTopicsOnly() {
        noClasses().should().dependOnClassesThat().resideInAPackage("dev.toolfleet.worker..").check(classes);
    }
}
