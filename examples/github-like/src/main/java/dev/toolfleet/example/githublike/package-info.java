/// Example of a Tool that acts for a person.
@NullMarked
package dev.toolfleet.example.githublike;

import org.jspecify.annotations.NullMarked;
