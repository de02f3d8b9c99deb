/// Tests.
@NullMarked
package dev.toolfleet.catalog.middleware;

import org.jspecify.annotations.NullMarked;
