package example;

import java.util.Map;

import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

/// The code behind the Tool `text`: one handler for each export.
public final class TextTools implements ToolModule {

    /// The arguments of `count`, mapped by name.
    record CountInput(String text) {}

    /// What `count` answers.
    record Count(int words, int characters) {}

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("count", ToolHandler.typed(CountInput.class, TextTools::count));
    }

    private static Count count(ToolContext ctx, CountInput input) {
        String text = input.text().strip();
        if (text.isEmpty()) {
            throw new ToolException("E_NO_TEXT", "There is nothing to count: the text is blank.")
                    .suggestion("Pass a text with at least one word.");
        }
        return new Count(text.split("\\s+").length, text.codePointCount(0, text.length()));
    }
}
