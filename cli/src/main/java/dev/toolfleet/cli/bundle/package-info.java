/// Bundles on the way from a folder to `tool.resource`.
@NullMarked
package dev.toolfleet.cli.bundle;

import org.jspecify.annotations.NullMarked;
