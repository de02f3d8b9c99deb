package dev.toolfleet.client;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClientPositionTest {
    @Test
    void aPositionSurvivesAsJson() {
        ClientPosition position = new ClientPosition(Map.of(11, 5_000_000_000L, 2, 0L));

        assertThat(position.toJson()).isEqualTo("{\"offsets\":{\"2\":0,\"11\":5000000000}}");
        assertThat(ClientPosition.fromJson(position.toJson())).isEqualTo(position);
        assertThat(ClientPosition.fromJson(ClientPosition.NONE.toJson())).isEqualTo(ClientPosition.NONE);
    }

    @Test
    void whatIsNoPositionIsRefused() {
        assertThatThrownBy(() -> ClientPosition.fromJson("nonsense")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClientPosition.fromJson("{}")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClientPosition.fromJson("{\"offsets\":{\"a\":1}}"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClientPosition.fromJson("{\"offsets\":{\"0\":-1}}"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
