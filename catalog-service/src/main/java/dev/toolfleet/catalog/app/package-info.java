/// Runs the catalog service in this process.
@NullMarked
package dev.toolfleet.catalog.app;

import org.jspecify.annotations.NullMarked;
