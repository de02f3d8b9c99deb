/// Validator of bundles, which reports every problem at once.
@NullMarked
package dev.toolfleet.bundle.check;

import org.jspecify.annotations.NullMarked;
