/// Commands of operators, as pages run them. The process that serves the pages supplies them.
@NullMarked
package dev.toolfleet.console.operate;

import org.jspecify.annotations.NullMarked;
