package dev.toolfleet.streams;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.streams");

    @Test
    void ofTheFleetOnlyTopicsAndErrorsAreKnown() {
        classes().should().onlyDependOnClassesThat().resideInAnyPackage("dev.toolfleet.streams",
                "dev.toolfleet.topic", "dev.toolfleet.error", "org.apache.kafka..", "org.rocksdb", "org.slf4j..",
                "org.jspecify..", "java..")
                .check(CLASSES);
    }
}
