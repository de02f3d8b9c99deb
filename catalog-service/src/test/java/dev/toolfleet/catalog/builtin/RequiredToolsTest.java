package dev.toolfleet.catalog.builtin;

import dev.toolfleet.catalog.Steps;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.catalog.Bundles.agent;
import static dev.toolfleet.catalog.Bundles.extension;
import static dev.toolfleet.catalog.Bundles.group;
import static dev.toolfleet.catalog.Bundles.inGroup;
import static dev.toolfleet.catalog.Bundles.tool;
import static dev.toolfleet.catalog.Bundles.using;
import static org.assertj.core.api.Assertions.assertThat;

class RequiredToolsTest {
    private final Steps steps = new Steps().layer("nothing", Integer.MIN_VALUE, (ctx, next) -> {
        next.proceed();
        ctx.keep(tool -> false);
    });

    @Test
    void requiredToolsStayWhateverOtherLayersDoAlsoWhenTheExtensionIsNotListed() {
        assertThat(steps.apply(tool("t", "a", "b", "c"), requiring("t__c", "t__a"), nothing()).names())
                .containsExactly("t__c", "t__a");
    }

    @Test
    void requiredToolsThatAreThereKeepTheirPlaces() {
        steps.layer("nothing", 0, (ctx, next) -> ctx.keep(tool -> !tool.name().equals("t__b")));

        assertThat(steps.apply(tool("t", "a", "b", "c"), requiring("t__c", "t__b", "t__a"), nothing()).names())
                .containsExactly("t__a", "t__c", "t__b");
    }

    @Test
    void theExtensionsConfigurationNamesMore() {
        ObjectNode agent = using(requiring("t__c"), "required-tools", config -> config.putArray("tools").add("t__b"));

        assertThat(steps.apply(tool("t", "a", "b", "c"), agent, nothing(),
                extension("required-tools", "builtin:required-tools")).names()).containsExactly("t__c", "t__b");
    }

    @Test
    void requiredToolsStayWhenALayerFails() {
        steps.layer("nothing", 0, (ctx, next) -> {
            throw new IllegalStateException();
        });

        assertThat(steps.apply(tool("t", "a", "b"), requiring("t__b"), nothing()).names()).containsExactly("t__b");
    }

    @Test
    void aRequiredToolOfAnOnDemandGroupIsShownAndOneOfANeverGroupIsNot() {
        assertThat(steps.apply(inGroup("asked", tool("t", "a")), inGroup("closed", tool("u", "b")),
                group("asked", "on-demand"), group("closed", "never"), nothing(), requiring("t__a", "u__b")).names())
                .containsExactly("t__a");
    }

    private static ObjectNode requiring(String... names) {
        ObjectNode agent = using(agent("coder", "Tool/t", "Tool/u"), "nothing", config -> {});
        for (String name : names)
            agent.withObject("spec").withArray("requiredTools").add(name);
        return agent;
    }

    private static ObjectNode nothing() {
        return extension("nothing", "java:nothing");
    }
}
