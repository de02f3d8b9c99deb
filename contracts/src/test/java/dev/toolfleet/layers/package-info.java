/// Rules of modules on their packages, for the tests of all modules.
@NullMarked
package dev.toolfleet.layers;

import org.jspecify.annotations.NullMarked;
