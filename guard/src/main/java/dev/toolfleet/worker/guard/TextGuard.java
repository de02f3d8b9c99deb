package dev.toolfleet.worker.guard;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.toolfleet.json.ShownText;

/// Guard of the texts of one reply: control characters, then markup, then redaction. Counts its redactions. Not
/// thread-safe.
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

    /// Number of redacted places.
    int redactions() {
        return redactions;
    }

    /// True if a page was longer than the part that was read.
    boolean cut() {
        return cut;
    }

    /// Returns the guarded value of a field; the same object if nothing has to change.
    String value(String text, FieldName field) {
        if (settings.secrets() && field.secret() && !text.isEmpty()) {
            redactions++;
            return Markers.REDACTED;
        }
        return visible(redact(settings.html() ? html(controls(text)) : controls(text), field));
    }

    /// Guards against markup. A text that is no page loses nothing; anything in it that could begin a tag is escaped. A
    /// text in which nothing could begin a tag stays unchanged, such as `a < b`.
    private String html(String text) {
        if (!Markup.mayBeginTag(text))
            return text;
        if (!Markup.isHtml(text))
            return Markup.written(text);
        Pages.Read read = Pages.forResults(settings.maxContentLength()).read(text, settings.allowHtml());
        cut |= read.cut();
        return read.text();
    }

    /// Returns the guarded name of a field, in which markup has no meaning.
    String name(String text) {
        return visible(redact(controls(text), FieldName.NONE));
    }

    /// True if a number, written with these digits, must not be published under this name.
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

    /// Escapes invisible characters, after redaction. Otherwise: redaction does not find a secret between escapes.
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
