/// Bundles on the way from a folder to `tool.resource`.
@NullMarked
package dev.toolfleet.publishing.apply;

import org.jspecify.annotations.NullMarked;
