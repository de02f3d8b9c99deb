@NullMarked
package dev.toolfleet.oauth.owner;

import org.jspecify.annotations.NullMarked;
