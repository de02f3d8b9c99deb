/// Bundles of declarations: resources, the typed views of their specs, references, tool names and problems.
@NullMarked
package dev.toolfleet.bundle;

import org.jspecify.annotations.NullMarked;
