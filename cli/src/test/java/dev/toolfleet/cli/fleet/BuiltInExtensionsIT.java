package dev.toolfleet.cli.fleet;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltInExtensionsIT {
    @Test
    void whatAnEntryMayNameTheCatalogServiceKnows() {
        assertThat(CatalogModules.builtIn()).containsExactlyInAnyOrderElementsOf(
                BuiltIns.of(BuiltinBundle.load().bundle()).entries("Extension"));
    }
}
