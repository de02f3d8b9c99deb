/// Tests.
@NullMarked
package dev.toolfleet.catalog.assemble;

import org.jspecify.annotations.NullMarked;
