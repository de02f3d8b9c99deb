/// From the entry of a Tool or an Extension to the code behind it, in whatever process runs it.
@NullMarked
package dev.toolfleet.loading;

import org.jspecify.annotations.NullMarked;
