/// Tests of the formats against the providers' published rules.
@NullMarked
package dev.toolfleet.catalog.format;

import org.jspecify.annotations.NullMarked;
