package dev.toolfleet.console;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

class LayersTest {
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.console");

    @Test
    void importsGoDownTheRows() {
        layeredArchitecture().consideringOnlyDependenciesInLayers()
                .layer("main").definedBy("dev.toolfleet.console")
                .layer("page").definedBy("dev.toolfleet.console.page..")
                .layer("web").definedBy("dev.toolfleet.console.web..")
                .layer("operate").definedBy("dev.toolfleet.console.operate..")
                .whereLayer("main").mayNotBeAccessedByAnyLayer()
                .whereLayer("page").mayOnlyBeAccessedByLayers("main")
                .whereLayer("web").mayOnlyBeAccessedByLayers("page")
                .whereLayer("operate").mayOnlyBeAccessedByLayers("main", "page")
                .check(classes);
    }

    @Test
    void pagesKnowNothingOfKafka() {
        noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.kafka..").check(classes);
    }
}
