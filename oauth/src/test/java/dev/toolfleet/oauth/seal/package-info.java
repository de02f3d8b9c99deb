@NullMarked
package dev.toolfleet.oauth.seal;

import org.jspecify.annotations.NullMarked;
