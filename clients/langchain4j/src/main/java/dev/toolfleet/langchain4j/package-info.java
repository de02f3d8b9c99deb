/// The fleet's tools for AI services of LangChain4j.
@NullMarked
package dev.toolfleet.langchain4j;

import org.jspecify.annotations.NullMarked;
