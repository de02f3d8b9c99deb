@NullMarked
package dev.toolfleet.oauth.view;

import org.jspecify.annotations.NullMarked;
