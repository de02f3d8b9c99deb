package dev.toolfleet.cli.fleet;

import dev.toolfleet.bundle.Resource;
import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltInExtensionsIT {
    @Test
    void whatTheBuiltInBundleDeclaresTheCatalogServiceKnows() {
        assertThat(CatalogModules.builtIn()).containsExactlyInAnyOrderElementsOf(
                BuiltinBundle.load().bundle().ofKind("Extension").stream().map(Resource::name).toList());
    }
}
