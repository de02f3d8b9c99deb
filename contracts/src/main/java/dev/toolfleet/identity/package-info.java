/// Which call is which: identity, fingerprint.
@NullMarked
package dev.toolfleet.identity;

import org.jspecify.annotations.NullMarked;
