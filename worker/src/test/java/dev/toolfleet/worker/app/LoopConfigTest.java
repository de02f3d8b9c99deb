package dev.toolfleet.worker.app;

import java.util.Map;

import dev.toolfleet.config.ConfigException;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.config.TopicsConfig;
import dev.toolfleet.worker.record.LoopConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LoopConfigTest {
    @ParameterizedTest
    @CsvSource({"10,20", "10,10", "0,1", "10,0", "0,0", "1,1"})
    void aNoticeComesNoLaterThanTheRefusal(int notice, int refuse) {
        assertThat(new LoopConfig(notice, refuse).refuseAfter()).isEqualTo(refuse);
    }

    @Test
    void aRefusalBeforeTheNoticeIsAnErrorThatNamesBoth() {
        assertThatThrownBy(() -> new LoopConfig(10, 9)).isInstanceOf(ConfigException.class)
                .hasMessage("worker.loops.refuseAfter is '9'; accepted: 0 for no refusals, or at least 10, which is"
                        + " worker.loops.noticeAfter: a model is told before it is stopped");
    }

    @Test
    void itIsReadFromTheFile() {
        assertThat(read(Map.of())).isEqualTo(new LoopConfig(10, 20));
        assertThat(read(Map.of("noticeAfter", 3, "refuseAfter", 5))).isEqualTo(new LoopConfig(3, 5));
        assertThatThrownBy(() -> read(Map.of("refuseAfter", 5))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.loops.refuseAfter is '5'");
        assertThatThrownBy(() -> read(Map.of("noticeAfter", -1))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("worker.loops.noticeAfter");
    }

    private static LoopConfig read(Map<String, Object> loops) {
        return WorkerConfig.of(KafkaConfig.at("unused:9092"), new TopicsConfig("", 1, TopicsConfig.BROKER_DEFAULT),
                Settings.of("worker", Map.of("loops", loops)), "w1").calls().loops();
    }
}
