/// Loads the code of a Tool or an Extension from its entry, in any process.
@NullMarked
package dev.toolfleet.loading;

import org.jspecify.annotations.NullMarked;
