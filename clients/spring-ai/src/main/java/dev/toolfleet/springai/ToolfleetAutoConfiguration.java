package dev.toolfleet.springai;

import java.net.URI;
import java.util.Optional;

import dev.toolfleet.client.ClientConfig;
import dev.toolfleet.client.ToolFleetClient;
import dev.toolfleet.client.turn.AgentTurns;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.client.turn.GatewayFleet;
import dev.toolfleet.client.turn.TurnFleet;
import dev.toolfleet.topic.Topics;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import static java.util.Objects.requireNonNull;

/// Beans of an application with `toolfleet.agent`: a way to the fleet, the turns of its agent, [FleetAdvisor], and the
/// fleet's tools in each [ToolCallingManager]. News are application events of type [CallNews].
@AutoConfiguration
@ConditionalOnProperty("toolfleet.agent")
@EnableConfigurationProperties(ToolfleetProperties.class)
public class ToolfleetAutoConfiguration {

    /// The way to the fleet by a gateway.
    @Bean(destroyMethod = "close")
    @ConditionalOnProperty("toolfleet.gateway")
    @ConditionalOnMissingBean({ToolFleetClient.class, TurnFleet.class})
    GatewayFleet gatewayFleet(ToolfleetProperties properties) {
        URI gateway = requireNonNull(properties.gateway());
        String token = properties.token();
        return token == null ? GatewayFleet.at(gateway) : GatewayFleet.at(gateway, () -> token);
    }

    /// The client of the fleet's broker; its name is that of the agent.
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean({ToolFleetClient.class, TurnFleet.class})
    ToolFleetClient toolFleetClient(ToolfleetProperties properties) {
        if (properties.bootstrapServers() == null)
            throw new IllegalArgumentException("toolfleet.bootstrap-servers is missing: set it to host:port of the"
                    + " fleet's broker, or toolfleet.gateway to the address of a gateway, or declare a bean of type"
                    + " ToolFleetClient or TurnFleet");
        return ToolFleetClient.open(ClientConfig.of(properties.bootstrapServers()).named(agent(properties))
                .on(new Topics(properties.topicPrefix())).with(properties.kafka()));
    }

    /// The way to the fleet by its broker.
    @Bean
    @ConditionalOnMissingBean
    TurnFleet turnFleet(ToolFleetClient client) {
        return TurnFleet.over(client);
    }

    /// The turns of the agent.
    @Bean
    @ConditionalOnMissingBean
    AgentTurns agentTurns(TurnFleet fleet, ToolfleetProperties properties, ApplicationEventPublisher events) {
        return AgentTurns.of(fleet, agent(properties)).waitingForWork(properties.patience())
                .onNews(events::publishEvent);
    }

    /// The advisor for chat clients that use the fleet. It does not know which memory a client reads.
    @Bean
    @ConditionalOnMissingBean
    FleetAdvisor fleetAdvisor(AgentTurns turns) {
        return new FleetAdvisor(turns, Optional.empty());
    }

    /// Adds the fleet's tools to the managers of the application, which keep their settings.
    @Bean
    static BeanPostProcessor fleetToolCalling(ObjectProvider<AgentTurns> turns) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof ToolCallingManager manager && !(bean instanceof FleetToolCallingManager)
                        ? new FleetToolCallingManager(turns.getObject(), manager)
                        : bean;
            }
        };
    }

    private static String agent(ToolfleetProperties properties) {
        String agent = properties.agent();
        if (agent == null)
            throw new IllegalArgumentException("toolfleet.agent is missing: name the agent whose tools models see");
        return agent;
    }
}
