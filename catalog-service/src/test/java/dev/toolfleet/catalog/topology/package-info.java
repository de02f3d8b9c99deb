/// Tests.
@NullMarked
package dev.toolfleet.catalog.topology;

import org.jspecify.annotations.NullMarked;
