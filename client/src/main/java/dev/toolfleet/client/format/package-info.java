/// A catalog in the shapes that model providers document: pure functions of a content.
@NullMarked
package dev.toolfleet.client.format;

import org.jspecify.annotations.NullMarked;
