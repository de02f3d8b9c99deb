/// Tests of reading, overriding and rejecting configuration.
@NullMarked
package dev.toolfleet.config;

import org.jspecify.annotations.NullMarked;
