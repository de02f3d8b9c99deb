/// Tests.
@NullMarked
package dev.toolfleet.catalog.prompt;

import org.jspecify.annotations.NullMarked;
