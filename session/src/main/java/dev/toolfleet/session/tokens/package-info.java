/// The one estimate of tokens, which window and compaction share.
@NullMarked
package dev.toolfleet.session.tokens;

import org.jspecify.annotations.NullMarked;
