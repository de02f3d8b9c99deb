package dev.toolfleet.worker.guard;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.toolfleet.json.ShownText;

/// Guards the texts of one reply: control characters, then markup, then what must not be published. Remembers whether it
/// redacted. Not thread-safe.
final class TextGuard {
    private final GuardSettings settings;
    private final KnownSecrets secrets;
    private final boolean prose;
    private int redactions;
    private boolean cut;

    /// @param prose whether the texts are an error's, which are read more strictly
    TextGuard(GuardSettings settings, KnownSecrets secrets, boolean prose) {
        this.settings = settings;
        this.secrets = secrets;
        this.prose = prose;
    }

    boolean redacted() {
        return redactions > 0;
    }

    /// How many places were redacted.
    int redactions() {
        return redactions;
    }

    /// Whether a page was longer than what was read of it.
    boolean cut() {
        return cut;
    }

    /// The value of a field; the very same text when nothing is wrong with it.
    String value(String text, FieldName field) {
        if (settings.secrets() && field.secret() && !text.isEmpty()) {
            redactions++;
            return Markers.REDACTED;
        }
        return visible(redact(settings.html() ? html(controls(text)) : controls(text), field));
    }

    /// Of a text that is no page nothing is taken; what could begin a tag in it is written so that it does not. A text in
    /// which nothing could begin a tag is left as it is, so `a < b` is.
    private String html(String text) {
        if (!Markup.mayBeginTag(text))
            return text;
        if (!Markup.isHtml(text))
            return Markup.written(text);
        Pages.Read read = Pages.forResults(settings.maxContentLength()).read(text, settings.allowHtml());
        cut |= read.cut();
        return read.text();
    }

    /// The name of a field, in which markup means nothing.
    String name(String text) {
        return visible(redact(controls(text), FieldName.NONE));
    }

    /// Whether a number, written with these digits, must not be published under this name.
    boolean isFinancial(String digits, FieldName field) {
        if (!settings.financial() || !FinancialData.isNumber(digits, field))
            return false;
        redactions++;
        return true;
    }

    private String controls(String text) {
        return switch (settings.unseen()) {
            case TAKEN_OUT -> ControlCharacters.strip(text);
            case KEPT -> ControlCharacters.paired(text);
            case SHOWN -> text;
        };
    }

    /// After redaction, which would not find a secret between escapes.
    private String visible(String text) {
        return settings.unseen() == GuardSettings.Unseen.SHOWN ? ShownText.of(text) : text;
    }

    private String marker(int length) {
        redactions++;
        return settings.unseen() == GuardSettings.Unseen.SHOWN ? Markers.secret(length) : Markers.REDACTED;
    }

    private String redact(String text, FieldName field) {
        Spans spans = new Spans();
        secrets.find(text, spans);
        if (settings.secrets()) {
            SecretShapes.find(text, spans);
            if (prose)
                SecretShapes.findInProse(text, spans);
        }
        if (settings.financial())
            FinancialData.find(text, field, settings.html() && settings.allowHtml(), spans);
        for (Pattern pattern : settings.patterns()) {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find())
                spans.add(matcher.start(), matcher.end());
        }
        if (spans.isEmpty())
            return text;
        return spans.redacted(text, this::marker);
    }
}
