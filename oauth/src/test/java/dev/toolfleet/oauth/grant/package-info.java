@NullMarked
package dev.toolfleet.oauth.grant;

import org.jspecify.annotations.NullMarked;
