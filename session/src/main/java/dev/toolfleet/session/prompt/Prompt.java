package dev.toolfleet.session.prompt;

import java.util.List;
import java.util.Map;

import dev.toolfleet.session.prompt.PromptSection.Stability;

/// Outcome of building a prompt.
public sealed interface Prompt {
    /// Error code of [TooLarge].
    String TOO_LARGE = "E_PROMPT_TOO_LARGE";

    /// Parts of the prompt that are built.
    enum Mode {
        /// All sections.
        FULL,
        /// `identity`, `tools` and `constraints`.
        MINIMAL,
        /// An empty text.
        NONE
    }

    /// Prompt that fits its budget.
    ///
    /// @param text the prompt
    /// @param digest the digest of the text
    /// @param boundary the length in UTF-16 units of the part that turns share: a provider's cache can keep it
    /// @param sections the sections in their order
    /// @param classDigests the digest of each class's text; a class without sections is absent
    /// @param dropped ids of the sections that did not fit, in the order of their dropping
    /// @param shortened ids of the sections that were cut, or whose list has names only
    record Built(String text, String digest, int boundary, List<Part> sections, Map<Stability, String> classDigests,
            List<String> dropped, List<String> shortened) implements Prompt {
        /// Freezes the lists.
        public Built {
            sections = List.copyOf(sections);
            classDigests = Map.copyOf(classDigests);
            dropped = List.copyOf(dropped);
            shortened = List.copyOf(shortened);
        }
    }

    /// Section in a prompt.
    ///
    /// @param id its id
    /// @param tokens its tokens, with its heading
    /// @param stability its class
    record Part(String id, long tokens, Stability stability) {}

    /// Budget that the required sections exceed.
    ///
    /// @param requiredTokens the tokens of the required sections
    /// @param maxTokens the budget
    /// @param sections the required sections
    record TooLarge(long requiredTokens, long maxTokens, List<Part> sections) implements Prompt {
        /// Freezes the list.
        public TooLarge {
            sections = List.copyOf(sections);
        }

        /// Returns the error as one sentence.
        public String message() {
            return TOO_LARGE + ": the required sections " + sections.stream().map(Part::id).toList() + " have "
                    + requiredTokens + " tokens, and the budget is " + maxTokens
                    + "; shorten the agent's prompt, offer fewer tools or raise the budget";
        }
    }
}
