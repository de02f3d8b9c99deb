/// Tests.
@NullMarked
package dev.toolfleet.catalog.app;

import org.jspecify.annotations.NullMarked;
