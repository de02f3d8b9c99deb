@NullMarked
package dev.toolfleet.oauth.testserver;

import org.jspecify.annotations.NullMarked;
