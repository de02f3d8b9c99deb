/// An AI service of LangChain4j whose tools run in a fleet.
@NullMarked
package dev.toolfleet.example.langchain4jagent;

import org.jspecify.annotations.NullMarked;
