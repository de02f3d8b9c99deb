package dev.toolfleet.session.window;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Lines;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.session.window.WindowState.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WindowGuardTest {
    private static final WindowGuard GUARD = new WindowGuard(WindowConfig.DEFAULT);

    @ParameterizedTest
    @DisplayName("WIN-01 a ratio just below 0.7 is safe; 0.7 warns, 0.85 is critical, 1.0 exceeds")
    @CsvSource({"139999,SAFE,false", "140000,WARNING,false", "169999,WARNING,false", "170000,CRITICAL,true",
            "199999,CRITICAL,true", "200000,EXCEEDED,true"})
    void thresholdsAreInclusive(long tokens, Status status, boolean needed) {
        WindowState state = new WindowGuard(new WindowConfig(0.7, 0.85, 0))
                .evaluate(conversation(tokens), ModelWindow.of(200_000), null);
        assertThat(state.status()).isEqualTo(status);
        assertThat(state.compactionNeeded()).isEqualTo(needed);
    }

    @Test
    @DisplayName("WIN-02 the breakdown sums to the current tokens")
    void breakdownSumsToCurrent() {
        Random random = new Random(7);
        for (int round = 0; round < 100; round++) {
            List<Entry> entries = new ArrayList<>();
            for (int i = random.nextInt(20); i >= 0; i--) {
                entries.addAll(Lines.entries(List.of("user hello", "calls a b", "result a found", "system rules",
                        "user " + Breakdown.SUMMARY_MARKER + " earlier").get(random.nextInt(5))));
            }
            Breakdown breakdown = Breakdown.of(TokenCounter.STANDARD, "", MissingNode.getInstance(), entries);
            assertThat(breakdown.current()).isEqualTo(TokenCounter.STANDARD.entries(entries));
        }
    }

    @Test
    @DisplayName("WIN-03 a system entry with the summary's marker counts as summary, others as prompt")
    void markedSystemEntryIsASummary() {
        Entry summary = Entry.text(null, Role.SYSTEM, Breakdown.SUMMARY_MARKER + "\nearlier", Instant.EPOCH);
        Entry rules = Entry.text(null, Role.SYSTEM, "rules", Instant.EPOCH);
        Breakdown breakdown = Breakdown.of(TokenCounter.STANDARD, "", MissingNode.getInstance(),
                List.of(summary, rules));
        assertThat(breakdown.summary()).isEqualTo(TokenCounter.STANDARD.entry(summary));
        assertThat(breakdown.systemPrompt()).isEqualTo(TokenCounter.STANDARD.entry(rules));
    }

    @ParameterizedTest
    @DisplayName("WIN-04, WIN-05, WIN-06 small windows are protected: there is no floor in tokens")
    @CsvSource({"8192,5000,EXCEEDED", "32768,30000,EXCEEDED", "32767,30000,EXCEEDED", "32768,25000,CRITICAL",
            "32767,25000,CRITICAL"})
    void smallWindowsAreProtected(int window, long tokens, Status status) {
        WindowState state = GUARD.evaluate(conversation(tokens), ModelWindow.of(window), null);
        assertThat(state.status()).isEqualTo(status);
        assertThat(state.compactionNeeded()).isTrue();
    }

    @ParameterizedTest
    @DisplayName("WIN-07 a reserve that leaves nothing of the window is a configuration error")
    @CsvSource({"4096", "1000"})
    void reserveMustBeLessThanTheWindow(int window) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GUARD.evaluate(conversation(1), ModelWindow.of(window), null))
                .withMessage("reserveTokens must be less than the model's context window of " + window
                        + " tokens, got 4096");
    }

    @ParameterizedTest
    @DisplayName("WIN-08 critical at or below warning, and limits outside 0 to 1, are configuration errors")
    @CsvSource({"0.7,0.7,0,criticalThreshold", "0.7,0.6,0,criticalThreshold", "0.7,1.0,0,criticalThreshold",
            "0,0.85,0,warningThreshold", "NaN,0.85,0,warningThreshold", "0.7,NaN,0,criticalThreshold",
            "0.7,0.85,-1,reserveTokens"})
    void limitsAreChecked(double warning, double critical, int reserve, String named) {
        assertThatIllegalArgumentException().isThrownBy(() -> new WindowConfig(warning, critical, reserve))
                .withMessageStartingWith(named);
    }

    @Test
    @DisplayName("WIN-09 ten evaluations without a change: one event")
    void onlyATransitionIsReported() {
        WindowState previous = null;
        List<WindowState> events = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            WindowState state = GUARD.evaluate(conversation(110_000), ModelWindow.UNKNOWN, previous);
            WindowGuard.transition(previous, state).ifPresent(events::add);
            previous = state;
        }
        assertThat(events).singleElement().extracting(WindowState::status).isEqualTo(Status.CRITICAL);
    }

    @Test
    @DisplayName("WIN-10 tool schemas of 5,000 tokens are counted")
    void catalogCounts() {
        var catalog = JsonNodeFactory.instance.arrayNode().add("x".repeat(20_000));
        Breakdown breakdown = Breakdown.of(TokenCounter.STANDARD, "", catalog, List.of());
        assertThat(breakdown.tools()).isBetween(5_000L, 5_001L);
        assertThat(breakdown.current()).isEqualTo(breakdown.tools());
    }

    @Test
    @DisplayName("WIN-11 a model switched from 1M to 200k is evaluated against 200k at once")
    void anotherWindowIsEvaluatedAnew() {
        Breakdown breakdown = conversation(180_000);
        WindowState large = GUARD.evaluate(breakdown, ModelWindow.of(1_000_000), null);
        WindowState small = GUARD.evaluate(breakdown, ModelWindow.of(200_000), large);
        assertThat(large.status()).isEqualTo(Status.SAFE);
        assertThat(small.status()).isEqualTo(Status.CRITICAL);
        assertThat(GUARD.evaluate(conversation(820_000), ModelWindow.of(1_000_000), small).status())
                .isEqualTo(Status.WARNING);
    }

    @Test
    @DisplayName("WIN-12 from 0.86 to 0.84 the status stays critical, until 0.05 below the threshold")
    void statusFallsBelowTheHysteresisOnly() {
        WindowGuard guard = new WindowGuard(new WindowConfig(0.7, 0.85, 0));
        ModelWindow window = ModelWindow.of(100_000);
        WindowState critical = guard.evaluate(conversation(86_000), window, null);
        assertThat(guard.evaluate(conversation(84_000), window, critical).status()).isEqualTo(Status.CRITICAL);
        assertThat(guard.evaluate(conversation(79_000), window, critical).status()).isEqualTo(Status.WARNING);
        assertThat(guard.evaluate(conversation(69_000), window, critical).status()).isEqualTo(Status.WARNING);
        assertThat(guard.evaluate(conversation(60_000), window, critical).status()).isEqualTo(Status.SAFE);
    }

    @ParameterizedTest
    @DisplayName("WIN-13 negative or no numbers from the estimator are errors")
    @CsvSource({"-1", "NaN", "Infinity"})
    void estimateMustBeANumber(double tokens) {
        TokenCounter counter = new TokenCounter(text -> tokens);
        assertThatIllegalStateException().isThrownBy(() -> counter.text("abc"))
                .withMessageContaining("returned " + tokens);
    }

    @Test
    void unknownModelGetsAUsualWindowAndAFlag() {
        WindowState state = GUARD.evaluate(conversation(1), ModelWindow.UNKNOWN, null);
        assertThat(state.maxTokens()).isEqualTo(128_000);
        assertThat(state.modelKnown()).isFalse();
    }

    @Test
    void ratioIsNotClamped() {
        assertThat(GUARD.evaluate(conversation(200_000), ModelWindow.of(104_096), null).usageRatio()).isEqualTo(2.0);
    }

    private static Breakdown conversation(long tokens) {
        return new Breakdown(0, 0, tokens, 0, 0);
    }
}
