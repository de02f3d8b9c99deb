/// Catalogs of steps, which decide the tools that a model may call.
@NullMarked
package dev.toolfleet.worker.catalog;

import org.jspecify.annotations.NullMarked;
