package dev.toolfleet.bundle.check;

/// A typical bundle of Goondan's users: TypeScript tools, a swarm behind a chat, the base package.
final class GoondanBundle {
    static final String MAIN = """
            # A coding team behind a chat
            apiVersion: goondan.ai/v1
            kind: Package
            metadata:
              name: "@acme/coding-team"
            spec:
              version: "0.3.1"
              description: "채팅에서 일하는 코딩 팀"
              access: restricted
              dependencies:
                - name: "@goondan/base"
                  version: "^0.0.3"
              registry:
                url: "https://registry.example.com"
            ---
            apiVersion: goondan.ai/v1
            kind: Model
            metadata:
              name: claude
            spec:
              provider: anthropic
              model: some-large-model
              apiKey:
                valueFrom:
                  env: ANTHROPIC_API_KEY
              capabilities: { streaming: true, toolCalling: true }
            ---
            apiVersion: goondan.ai/v1
            kind: Swarm
            metadata:
              name: coding-team
              labels: { tier: app }
            spec:
              entryAgent: "Agent/lead"
              agents:
                - ref: "Agent/lead"
                - ref: { kind: Agent, name: coder }
              instanceKey: main
              policy:
                maxStepsPerTurn: 32
                lifecycle: { ttlSeconds: 604800 }
                shutdown: { gracePeriodSeconds: 300 }
            """;

    static final String AGENTS = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: { name: lead }
            spec:
              modelConfig:
                modelRef: "Model/claude"
                params: { temperature: 0.5, maxTokens: 4000 }
              prompt:
                system: |
                  You lead a team: split the work,
                  hand it out, and report.
              tools:
                - ref: { kind: Tool, name: agents, package: "@goondan/base" }
                - ref: { kind: Tool, name: telegram, package: "@goondan/base" }
                - ref: "Tool/ticket"
              extensions:
                - ref: { kind: Extension, name: context-message, package: "@goondan/base" }
                  config: { includeSwarmCatalog: true }
                - ref: "Extension/audit"
              requiredTools: ["telegram__send", "ticket__close"]
            ---
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: { name: coder }
            spec:
              modelConfig: { modelRef: { kind: Model, name: claude } }
              prompt: { systemRef: "./prompts/coder.md" }
              tools:
                - ref: { kind: Tool, name: bash, package: "@goondan/base" }
                - ref: { kind: Tool, name: file-system, package: "@goondan/base" }
                - "Tool/ticket"
            """;

    static final String TOOLS = """
            apiVersion: goondan.ai/v1
            kind: Tool
            metadata:
              name: ticket
              labels:
                tier: app
            spec:
              entry: "./tools/ticket/index.ts"
              errorMessageLimit: 1200
              exports:
                - name: open
                  description: "티켓을 만듭니다"
                  parameters:
                    type: object
                    properties:
                      title: { type: string, description: "제목" }
                      labels: { type: array, items: { type: string } }
                      priority: { type: [integer, "null"], enum: [1, 2, 3, null], default: 2 }
                    required: [title]
                    additionalProperties: false
                - name: close
                  description: "티켓을 닫습니다"
                  parameters: { type: object, properties: { id: { type: string } }, required: [id] }
            """;

    static final String REST = """
            apiVersion: goondan.ai/v1
            kind: Extension
            metadata: { name: audit }
            spec:
              entry: "./extensions/audit.ts"
              config: { level: info, tools: ["a/b"] }
            ---
            apiVersion: goondan.ai/v1
            kind: Connector
            metadata: { name: chat }
            spec:
              entry: "./connectors/chat.ts"
              events:
                - name: chat_message
                  properties: { chat_id: { type: string } }
            ---
            apiVersion: goondan.ai/v1
            kind: Connection
            metadata: { name: chat-to-team }
            spec:
              connectorRef: "Connector/chat"
              swarmRef: "Swarm/coding-team"
              secrets:
                botToken: { valueFrom: { secretRef: { ref: "Secret/chat", key: bot_token } } }
              ingress:
                rules:
                  - match: { event: chat_message }
                    route: { instanceKeyProperty: chat_id, instanceKeyPrefix: "chat:" }
            """;

    private GoondanBundle() {}

    static BundleReport report() {
        return Checked.files("goondan.yaml", MAIN, "agents.yaml", AGENTS, "resources.yaml", REST, "tools/tool.yaml",
                TOOLS);
    }
}
