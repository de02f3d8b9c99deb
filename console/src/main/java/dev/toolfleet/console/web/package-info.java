/// Requests of browsers: sign-in, forms, assets, live parts of pages, and text that cannot do harm.
@NullMarked
package dev.toolfleet.console.web;

import org.jspecify.annotations.NullMarked;
