package dev.toolfleet.worker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/// The picture of this module: imports go down the rows; inside a row only within a package.
class LayersTest {
    private static final String ROOT = "dev.toolfleet.worker.";
    private static final List<String> ROWS = """
            app
            poll        completion  registration
            pipeline
            override
            recovery
            record
            call
            lane        commit      middleware
            policy      limit       execute     identity
            agents
            assignment
            """.lines().toList();

    /// Types that still need each other. The list may only get shorter.
    private static final List<String> TANGLED = """
            agents: AgentCalls CallAgents
            completion: ApprovalRules HandleState HandleTransition
            limit: GateWorker Ticket ToolGate
            """.lines().toList();

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        Set<String> upwards = new TreeSet<>();
        for (JavaClass from : CLASSES) {
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                JavaClass to = dependency.getTargetClass();
                if (!CLASSES.contain(to.getName()) || to.getPackage().equals(from.getPackage()))
                    continue;
                if (row(from) >= row(to))
                    upwards.add(from.getName() + " -> " + to.getName());
            }
        }
        assertThat(upwards).isEmpty();
    }

    @Test
    void everyPackageHasItsRow() {
        for (JavaClass type : CLASSES)
            assertThat(row(type)).as(type.getName()).isNotNegative();
    }

    @Test
    void noPackagesNeedEachOther() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void noTypesOfOnePackageNeedEachOther() {
        TypeCycles cycles = TypeCycles.of(CLASSES);

        assertThat(cycles.found()).containsExactlyInAnyOrderElementsOf(TANGLED);
    }

    /// Where a class stands, -1 when nowhere: an exact name before a pattern.
    private static int row(JavaClass type) {
        String name = type.getPackageName().substring(Math.min(ROOT.length(), type.getPackageName().length()));
        List<String> spellings = new ArrayList<>(List.of(name));
        if (name.contains("."))
            spellings.add(name.substring(0, name.indexOf('.')) + ".*");
        for (String spelling : spellings) {
            for (int row = 0; row < ROWS.size(); row++) {
                if (List.of(ROWS.get(row).split(" +")).contains(spelling))
                    return row;
            }
        }
        return -1;
    }
}
