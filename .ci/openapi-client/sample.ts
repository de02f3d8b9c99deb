// A client of the gateway that uses every operation; it is compiled, not run. Each answer goes to a variable with the
// type that a person expects, so that a description with empty types does not compile.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
const client = createClient<paths>({ baseUrl: "http://127.0.0.1:7072", headers: { Authorization: "Bearer token" } });
const step = { instanceKey: "telegram:1", agent: "coder" };

function value<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

export async function turn(): Promise<Schemas["ToolResult"] | undefined> {
  const begun = await client.POST("/v1/instances/{instanceKey}/agents/{agent}/steps", {
    params: { path: step, query: { format: "openai" } },
    body: { turnId: "t-1", stepId: "s-1", stepIndex: 1, hints: { topic: "weather" } },
  });
  const catalog: Schemas["StepAnswer"] = value(begun);
  const leftOut: string[] = catalog.notes.map((note) => `${note.tool}: ${note.note}`);
  const made = await client.POST("/v1/instances/{instanceKey}/agents/{agent}/calls", {
    params: { path: step, header: { Prefer: "wait=30", "Idempotency-Key": "\"order-1\"", traceparent: "00-…" } },
    body: { name: "bash__exec", args: { command: leftOut.join() }, catalogDigest: catalog.digest },
  });
  await client.POST("/v1/instances/{instanceKey}/agents/{agent}/steps/{turnId}/{stepId}/end", {
    params: { path: { ...step, turnId: catalog.turnId, stepId: catalog.stepId } },
    body: { stepIndex: 1 },
  });
  const refused: Schemas["Problem"] | undefined = made.error;
  if (refused !== undefined) throw new Error(`${refused.status}: ${refused.detail}`);
  const result = made.data;
  return typeof result === "object" && "toolCallId" in result ? result : undefined;
}

export async function again(digest: string): Promise<number> {
  const newest = await client.GET("/v1/instances/{instanceKey}/agents/{agent}/catalog", {
    params: { path: step, query: { format: "anthropic" }, header: { "If-None-Match": `"${digest}"` } },
  });
  const catalog: Schemas["Catalog"] = value(newest);
  return catalog.tools.length + Object.keys(catalog.names).length;
}

export async function watch(id: string): Promise<string[]> {
  const shown = await client.GET("/v1/calls/{id}", { params: { path: { id }, header: { Prefer: "wait=60" } } });
  const state: Schemas["CallState"] = value(shown);
  const stages: Record<typeof state.stage, boolean> = {
    accepted: false, running: false, pending: false, approval: false, resumed: false, ended: true,
  };
  if (!stages[state.stage]) {
    const events: string = value(await client.GET("/v1/calls/{id}/events", {
      params: { path: { id }, header: { "Last-Event-ID": state.event } },
      parseAs: "text",
    }));
    const cancelled: Schemas["CallState"] = value(await client.POST("/v1/calls/{id}/cancel", {
      params: { path: { id } },
      body: { reason: `after ${events.length} characters` },
    }));
    return [cancelled.id];
  }
  const news = await client.GET("/v1/instances/{instanceKey}/results", {
    params: { path: { instanceKey: state.call.instanceKey }, query: { after: "0-1", limit: 10 }, header: { Prefer: "wait=30" } },
  });
  const results = value(news);
  if (typeof results === "string") return [];
  return results.results.map((one) => `${one.position} ${one.call} ${one.result.status}`);
}

export async function list(): Promise<string[]> {
  const listed: Schemas["CallList"] = value(await client.GET("/v1/calls", {
    params: { query: { agent: "coder", tool: "bash__*", stage: "open", since: "2026-11-25T20:00:00Z" } },
  }));
  if (listed.next === undefined) return listed.calls.map((call) => `${call.id} ${call.stage}`);
  const older: Schemas["CallList"] = value(await client.GET("/v1/calls", {
    params: { query: { instance: "telegram:1", after: listed.next, limit: 100 } },
  }));
  return older.calls.map((call) => `${call.id} ${call.stage}`);
}

export async function finish(handle: string): Promise<void> {
  const completed: Schemas["HandleAnswer"] = value(await client.POST("/v1/handles/{handle}/completions", {
    params: { path: { handle } },
    body: { kind: "completed", output: { done: true }, token: "secret" },
  }));
  const decided: Schemas["HandleAnswer"] = value(await client.POST("/v1/handles/{handle}/decision", {
    params: { path: { handle: completed.handle } },
    body: { decision: "approve", reason: "looks right" },
  }));
  console.log(decided.handle);
}

export async function look(): Promise<string[]> {
  const approvals = value(await client.GET("/v1/approvals", { params: { query: { instance: "telegram:1", limit: 5 } } }));
  const errors = value(await client.GET("/v1/errors", { params: { query: { since: "2026-11-25T20:00:00Z", tool: "bash__*" } } }));
  const more = value(await client.GET("/v1/errors", { params: { query: { after: errors.next, code: "E_TOOL_TIMEOUT" } } }));
  const letters = value(await client.GET("/v1/dead-letters", { params: { query: { reason: "late", all: true } } }));
  const agents = value(await client.GET("/v1/agents"));
  const agent: Schemas["Agent"] = value(await client.GET("/v1/agents/{agent}", { params: { path: { agent: "coder" } } }));
  const resources = value(await client.GET("/v1/resources", { params: { query: { source: "config", group: "finance" } } }));
  return [
    ...approvals.approvals.map((each) => `${each.handle} ${each.rule ?? "?"}`),
    ...[...errors.errors, ...more.errors].map((each) => `${each.error.code} ${each.toolName}`),
    ...letters.letters.map((each) => `${each.address} ${each.done?.what ?? "open"}`),
    ...agents.agents.map((each) => each.name),
    ...(agent.exports ?? []).map((each) => `${each.name} of ${each.tool.bundle}`),
    ...resources.resources.map((each) => each.key),
  ];
}

export async function remember(digest: string): Promise<string[]> {
  const built = await client.GET("/v1/instances/{instanceKey}/agents/{agent}/prompt", {
    params: { path: step, query: { mode: "minimal", maxTokens: 4000 }, header: { "If-None-Match": `"${digest}"` } },
  });
  const prompt: Schemas["Prompt"] = value(built);
  const log = value(await client.GET("/v1/instances/{instanceKey}/agents/{agent}/messages", {
    params: { path: step, query: { view: "log" } },
  }));
  const session: Schemas["SessionState"] = value(await client.GET("/v1/instances/{instanceKey}/agents/{agent}/session", {
    params: { path: step },
  }));
  return [
    prompt.text.slice(0, prompt.boundary),
    ...prompt.sections.map((section) => `${section.id} ${section.tokens} ${section.class}`),
    ...prompt.dropped,
    ...log.messages.map((message) => `${Object.keys(message).length} fields`),
    ...(session.openCalls ?? []).map((call) => `${session.status} ${call.toolCallId}`),
  ];
}

export async function process(): Promise<boolean> {
  const live: Schemas["Health"] = value(await client.GET("/health/live"));
  const ready: Schemas["Health"] = value(await client.GET("/health/ready"));
  const metrics: string = value(await client.GET("/metrics", { parseAs: "text" }));
  const metadata: Schemas["ResourceMetadata"] = value(await client.GET("/.well-known/oauth-protected-resource"));
  const page: string = value(await client.GET("/oauth/callback", { params: { query: { state: "s", code: "c" } }, parseAs: "text" }));
  const description: Schemas["Document"] = value(await client.GET("/openapi.json"));
  return live.status === ready.status && metadata.resource !== "" && page !== "" && metrics.includes("toolfleet") && "openapi" in description;
}
