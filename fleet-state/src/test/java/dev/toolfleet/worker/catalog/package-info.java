/// Tests of the catalog gate.
@NullMarked
package dev.toolfleet.worker.catalog;

import org.jspecify.annotations.NullMarked;
