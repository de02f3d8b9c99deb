@NullMarked
package dev.toolfleet.oauth;

import org.jspecify.annotations.NullMarked;
