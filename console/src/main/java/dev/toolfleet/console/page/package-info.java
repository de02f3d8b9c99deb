/// Views of the console: for each, its routes, its model, and in `src/main/jte` its template.
@NullMarked
package dev.toolfleet.console.page;

import org.jspecify.annotations.NullMarked;
