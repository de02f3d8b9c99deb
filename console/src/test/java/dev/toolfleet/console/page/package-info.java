/// Tests of the console's pages, against fleets in memory.
@NullMarked
package dev.toolfleet.console.page;

import org.jspecify.annotations.NullMarked;
