/// Tests with the real LangChain4j and a model that follows a script.
@NullMarked
package dev.toolfleet.langchain4j;

import org.jspecify.annotations.NullMarked;
