/// Tests of this package.
@NullMarked
package dev.toolfleet.client;

import org.jspecify.annotations.NullMarked;
