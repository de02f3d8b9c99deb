/// Tests of applying bundles.
@NullMarked
package dev.toolfleet.publishing.apply;

import org.jspecify.annotations.NullMarked;
