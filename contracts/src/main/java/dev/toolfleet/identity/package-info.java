/// Identity and fingerprint of calls.
@NullMarked
package dev.toolfleet.identity;

import org.jspecify.annotations.NullMarked;
