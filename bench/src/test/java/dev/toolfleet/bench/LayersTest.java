package dev.toolfleet.bench;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/// The rows of this module, top down; a package imports only from rows below its own.
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.bench");

    @Test
    void importsGoDownTheRows() {
        Architectures.layeredArchitecture().consideringOnlyDependenciesInLayers()
                .layer("command").definedBy("dev.toolfleet.bench.command")
                .layer("crash").definedBy("dev.toolfleet.bench.crash", "dev.toolfleet.bench.memory",
                        "dev.toolfleet.bench.pending", "dev.toolfleet.bench.steps", "dev.toolfleet.bench.micro..",
                        "dev.toolfleet.bench.compare")
                .layer("seen").definedBy("dev.toolfleet.bench.fleet", "dev.toolfleet.bench.verdict")
                .layer("happens").definedBy("dev.toolfleet.bench.effect", "dev.toolfleet.bench.fault",
                        "dev.toolfleet.bench.engine")
                .layer("load").definedBy("dev.toolfleet.bench.load")
                .whereLayer("command").mayNotBeAccessedByAnyLayer()
                .whereLayer("crash").mayOnlyBeAccessedByLayers("command")
                .whereLayer("seen").mayOnlyBeAccessedByLayers("command", "crash")
                .whereLayer("happens").mayOnlyBeAccessedByLayers("command", "crash", "seen")
                .check(CLASSES);
    }

    @Test
    void theVerdictKnowsNoKafkaAndNoProcesses() {
        noClasses().that().resideInAPackage("dev.toolfleet.bench.verdict").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.embedded..", "dev.toolfleet.worker..",
                        "dev.toolfleet.bench.fleet")
                .check(CLASSES);
    }
}
