package dev.toolfleet.http;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.http");

    @Test
    void neitherKafkaNorAProcessOfTheFleetIsKnown() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka..", "dev.toolfleet.client..",
                "dev.toolfleet.worker..", "dev.toolfleet.catalog..", "dev.toolfleet.streams..", "dev.toolfleet.wire..")
                .check(CLASSES);
    }
}
