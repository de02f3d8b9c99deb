package dev.toolfleet.worker.tools.texttransform;

import java.util.concurrent.CancellationException;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.toolfleet.worker.tools.texttransform.Replacement.Match;

/// Replacement of matches, the first or all.
///
/// @param result the new text
/// @param replacements number of matches
record ReplacedText(String result, int replacements) {

    /// Replaces a text, in which nothing has a meaning of its own.
    static ReplacedText literal(String text, String search, String replacement, boolean all) {
        SizedText out = new SizedText();
        int count = 0;
        int at = 0;
        for (int found = text.indexOf(search); found >= 0; found = all ? text.indexOf(search, at) : -1) {
            out.append(text.substring(at, found)).append(replacement);
            at = found + search.length();
            count++;
        }
        return new ReplacedText(out.append(text.substring(at)).toString(), count);
    }

    /// Replaces the matches of a regular expression.
    static ReplacedText regex(String text, String search, String replacement, boolean all) throws InterruptedException {
        Pattern pattern = BoundedPattern.compile(search).pattern();
        Replacement parts = Replacement.parse(replacement, pattern.groupCount(), pattern.namedGroups());
        try {
            return regex(text, new BoundedPattern(pattern).over(text), parts, all);
        } catch (CancellationException e) {
            throw (InterruptedException) new InterruptedException("interrupted while it searched").initCause(e);
        }
    }

    private static ReplacedText regex(String text, Matcher matcher, Replacement parts, boolean all) {
        SizedText out = new SizedText();
        int count = 0;
        int at = 0;
        while ((all || count == 0) && matcher.find()) {
            out.append(text.substring(at, matcher.start()));
            parts.appendTo(out, match(text, matcher));
            at = matcher.end();
            count++;
        }
        return new ReplacedText(out.append(text.substring(at)).toString(), count);
    }

    private static Match match(String text, Matcher matcher) {
        return group -> matcher.start(group) < 0 ? null : text.substring(matcher.start(group), matcher.end(group));
    }
}
