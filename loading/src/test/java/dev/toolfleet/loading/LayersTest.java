package dev.toolfleet.loading;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.loading");

    @Test
    void ofTheFleetOnlyContractsAreKnown() {
        classes().should().onlyDependOnClassesThat().resideInAnyPackage("dev.toolfleet.loading",
                "dev.toolfleet.bundle", "dev.toolfleet.json", "dev.toolfleet.middleware", "dev.toolfleet.resources",
                "dev.toolfleet.tool", "dev.toolfleet.wire", "tools.jackson..", "org.slf4j..", "org.jspecify..",
                "java..").check(CLASSES);
    }
}
