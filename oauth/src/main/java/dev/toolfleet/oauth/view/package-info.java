/// Readers of grants and authorizations, and the source of tokens.
@NullMarked
package dev.toolfleet.oauth.view;

import org.jspecify.annotations.NullMarked;
