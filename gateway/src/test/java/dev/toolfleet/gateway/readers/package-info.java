/// Tests of the readers.
@NullMarked
package dev.toolfleet.gateway.readers;

import org.jspecify.annotations.NullMarked;
