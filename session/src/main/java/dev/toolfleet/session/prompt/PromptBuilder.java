package dev.toolfleet.session.prompt;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.json.Digests;
import dev.toolfleet.session.prompt.Prompt.Mode;
import dev.toolfleet.session.prompt.PromptSection.Stability;
import dev.toolfleet.session.tokens.TokenCounter;

/// Builder of system prompts from sections (seed 003, section 4.8).
///
/// **Contract.** Sections stand in the order of stability, then priority, then id. The text up to the boundary is the
/// same for equal values, whatever the time is. A section's tokens never exceed the budget in silence: optional sections
/// are dropped from the lowest priority, then the list of tools keeps its names only, then the outcome is
/// [Prompt.TooLarge].
///
/// **Threads.** Immutable and thread-safe.
public final class PromptBuilder {
    private static final String RULE = "\n\n---\n\n";
    private static final String CUT = "\n[shortened]";
    private static final Set<String> MINIMAL = Set.of("identity", DefaultSections.TOOLS, "constraints");
    private static final Comparator<PromptSection> ORDER = Comparator.comparing(PromptSection::stability)
            .thenComparing(Comparator.comparingInt(PromptSection::priority).reversed())
            .thenComparing(PromptSection::id);

    private final List<PromptSection> sections;
    private final TokenCounter counter;

    private PromptBuilder(Collection<PromptSection> sections, TokenCounter counter) {
        this.sections = sections.stream().sorted(ORDER).toList();
        this.counter = counter;
    }

    /// Makes a builder with the fifteen sections of the seed.
    public static PromptBuilder standard(TokenCounter counter) {
        return new PromptBuilder(DefaultSections.all(), counter);
    }

    /// Returns a builder with further sections.
    ///
    /// @throws IllegalArgumentException when two sections have the same id
    public PromptBuilder with(Collection<PromptSection> more) {
        Map<String, PromptSection> all = new TreeMap<>();
        for (Collection<PromptSection> some : List.of(sections, more)) {
            for (PromptSection section : some) {
                if (all.putIfAbsent(section.id(), section) != null) {
                    throw new IllegalArgumentException("prompt section '" + section.id()
                            + "' is declared twice; give one of them another id");
                }
            }
        }
        return new PromptBuilder(all.values(), counter);
    }

    /// Returns the ids of all sections in the prompt's order.
    public List<String> ids() {
        return sections.stream().map(PromptSection::id).toList();
    }

    /// Builds a prompt.
    ///
    /// @param maxTokens the budget
    public Prompt build(PromptContext context, Mode mode, long maxTokens) {
        List<Rendered> rendered = new ArrayList<>();
        List<String> shortened = new ArrayList<>();
        for (PromptSection section : sections) {
            if (mode == Mode.NONE || (mode == Mode.MINIMAL && !MINIMAL.contains(section.id())))
                continue;
            String body = section.renderer().apply(context).strip();
            if (!body.isEmpty())
                rendered.add(fitted(section, body, maxTokens, shortened));
        }
        List<String> dropped = drop(rendered, maxTokens);
        shortened.removeAll(dropped);
        if (tokens(rendered) > maxTokens)
            shortenTools(rendered, context, shortened);
        long tokens = tokens(rendered);
        return tokens > maxTokens
                ? new Prompt.TooLarge(tokens, maxTokens, parts(rendered))
                : assembled(rendered, dropped, shortened);
    }

    private Rendered fitted(PromptSection section, String body, long maxTokens, List<String> shortened) {
        double most = section.share() * maxTokens;
        Rendered whole = render(section, body);
        if (section.required() || whole.tokens <= most)
            return whole;
        shortened.add(section.id());
        String cut = body;
        Rendered shorter = whole;
        while (shorter.tokens > most && cut.length() > 1) {
            cut = cut.substring(0, cut.length() / 2);
            // A block of data that is cut needs its end: otherwise the sections behind it read as data.
            shorter = render(section, cut + CUT + (body.endsWith("</data>") ? "\n</data>" : ""));
        }
        return shorter;
    }

    private static List<String> drop(List<Rendered> rendered, long maxTokens) {
        List<String> dropped = new ArrayList<>();
        List<Rendered> optional = new ArrayList<>(rendered.stream().filter(one -> !one.section.required()).toList());
        optional.sort(Comparator.comparingInt((Rendered one) -> one.section.priority())
                .thenComparing(one -> one.section.id()));
        for (Rendered lowest : optional) {
            if (tokens(rendered) <= maxTokens)
                break;
            rendered.remove(lowest);
            dropped.add(lowest.section.id());
        }
        return dropped;
    }

    private void shortenTools(List<Rendered> rendered, PromptContext context, List<String> shortened) {
        for (int i = 0; i < rendered.size(); i++) {
            PromptSection section = rendered.get(i).section;
            if (section.id().equals(DefaultSections.TOOLS) && !context.tools().isEmpty()) {
                rendered.set(i, render(section, DefaultSections.toolNames(context)));
                shortened.add(section.id());
            }
        }
    }

    private static Prompt assembled(List<Rendered> rendered, List<String> dropped, List<String> shortened) {
        StringBuilder text = new StringBuilder();
        Map<Stability, StringBuilder> classes = new EnumMap<>(Stability.class);
        int boundary = 0;
        for (Rendered one : rendered) {
            if (!text.isEmpty())
                text.append(RULE);
            if (one.section.stability() != Stability.TURN)
                boundary = text.length() + one.text.length();
            text.append(one.text);
            classes.computeIfAbsent(one.section.stability(), stability -> new StringBuilder()).append(one.text)
                    .append(RULE);
        }
        Map<Stability, String> digests = new EnumMap<>(Stability.class);
        classes.forEach((stability, own) -> digests.put(stability, Digests.sha256(own.toString())));
        return new Prompt.Built(text.toString(), Digests.sha256(text.toString()), boundary, parts(rendered), digests,
                dropped, shortened);
    }

    private Rendered render(PromptSection section, String body) {
        String text = "## " + section.title() + "\n\n" + body;
        return new Rendered(section, text, counter.text(text + RULE));
    }

    private static long tokens(List<Rendered> rendered) {
        return rendered.stream().mapToLong(Rendered::tokens).sum();
    }

    private static List<Prompt.Part> parts(List<Rendered> rendered) {
        return rendered.stream().map(one -> new Prompt.Part(one.section.id(), one.tokens, one.section.stability()))
                .toList();
    }

    private record Rendered(PromptSection section, String text, long tokens) {}
}
