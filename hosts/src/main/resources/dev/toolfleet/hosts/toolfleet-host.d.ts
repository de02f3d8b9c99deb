// Types for handlers in TypeScript and JavaScript. Copy this file into a bundle and name it in tsconfig.json; then
// `import type { ToolHandler } from '@toolfleet/host'`. There is no code behind the name: hosts strip such imports.
declare module '@toolfleet/host' {
  export type JsonPrimitive = string | number | boolean | null;
  export type JsonValue = JsonPrimitive | JsonObject | JsonArray;
  export interface JsonObject { [key: string]: JsonValue | undefined }
  export type JsonArray = JsonValue[];

  /** Runs one export. Throw to fail; `code`, `suggestion` and `helpUrl` of the error reach the model. */
  export type ToolHandler<Input = any> = (ctx: ToolContext, input: Input) => Result | Promise<Result>;

  /** The module's `handlers`, by export name. */
  export type Handlers = Record<string, ToolHandler>;

  /** Output of a handler. Plain interfaces are outputs as well, which `JsonValue` alone would refuse. */
  export type Result = JsonValue | object | undefined | void;

  /** Result of a call whose work goes on elsewhere. All other fields are the output until it ends. */
  export interface Pending extends JsonObject {
    __async: true;
    handle: string;
  }

  /** Context of a call, valid while its handler runs. */
  export interface ToolContext {
    readonly agentName?: string;
    readonly instanceKey: string;
    readonly turnId?: string;
    readonly stepId?: string;
    readonly traceId?: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly exportName: string;
    /** `spec.config` of the Tool. */
    readonly config: JsonObject;
    readonly caller: { readonly userId?: string; readonly channelId?: string };
    /** The assistant message with this call. */
    readonly message: Message;
    /** Folder of the instance. */
    readonly workdir: string;
    /** The instant at which the call ends, whatever the handler does. */
    readonly deadline: Date;
    /** Fires at the deadline or when the call is cancelled. */
    readonly signal: AbortSignal;
    /** Number of this start of the call, from 1. */
    readonly attempt: number;
    /** The same for each start of the call: pass it to systems that take idempotency keys. */
    readonly idempotencyKey: string;
    /** Grows with each call of the instance, and with each take-over by another worker. */
    readonly fencingToken: number;
    /** Lines go to the worker's log, with the ids of the call. */
    readonly logger: Console;
    /** The way to other agents; undefined where there are none. */
    readonly runtime?: AgentToolRuntime;
    /**
     * Returns an access token of the call's user for the Tool's OAuthApp. The token belongs into the request alone, never
     * into an output, an error or a log. An answer `authorization_required` may be returned as the handler's output.
     */
    authorized(options?: { scopes?: string[]; minTtlSeconds?: number }): Promise<TokenAnswer>;
    /** Makes an unguessable handle for a pending result. */
    newHandle(): string;
    /** Reports progress: a percentage from 0 to 100, or a message, or both. */
    progress(percent?: number | null, message?: string | null): void;
  }

  export interface Message {
    readonly id: string;
    readonly data: JsonObject;
    readonly metadata: JsonObject;
    readonly createdAt: Date;
    readonly source: JsonObject;
  }

  export type TokenAnswer =
    | { status: 'ready'; accessToken: string; tokenType: string; expiresAt?: string; scopes: string[] }
    | {
      status: 'authorization_required'; message: string; authorizationUrl: string; userCode?: string;
      authSessionId: string; expiresAt: string;
    }
    | { status: 'error'; error: { code: string; message: string } };

  export interface AgentEvent {
    input?: JsonValue;
    instanceKey?: string;
    name?: string;
    metadata?: JsonObject;
  }

  export interface AgentToolRuntime {
    request(target: string, event: AgentEvent, options?: { timeoutMs?: number }): Promise<{
      target: string; response?: JsonValue; eventId?: string; correlationId?: string;
    }>;
    send(target: string, event: AgentEvent): Promise<{ eventId?: string; target: string; accepted: boolean }>;
    spawn(target: string, options?: { instanceKey?: string; cwd?: string }): Promise<{
      target: string; instanceKey: string; spawned: boolean; cwd?: string;
    }>;
    list(options?: { includeAll?: boolean }): Promise<{ agents: SpawnedAgent[] }>;
    catalog(): Promise<{
      swarmName?: string; entryAgent?: string; selfAgent: string; availableAgents: string[]; callableAgents: string[];
    }>;
  }

  export interface SpawnedAgent {
    target: string;
    instanceKey: string;
    ownerAgent?: string;
    ownerInstanceKey?: string;
    createdAt: string;
    cwd?: string;
  }

  /** Export `reconcile`: decides whether a call happened whose process died. Must only read. */
  export type Reconcile = (ctx: ToolContext, input: any) => Verdict | Promise<Verdict>;
  export type Verdict = { verdict: 'happened'; output: JsonValue } | { verdict: 'didNotHappen' | 'unknown' }
    | 'didNotHappen' | 'unknown' | undefined;

  /** Export `poll`: looks at pending work, for exports with `async.poll`. */
  export type Poll = (work: PendingWork) => PollAnswer | Promise<PollAnswer>;
  export type PollAnswer = { state: 'running'; percent?: number; message?: string }
    | { state: 'completed'; output: JsonValue }
    | { state: 'failed'; error: Error | { message: string; code?: string; name?: string; suggestion?: string; helpUrl?: string } };

  /** Export `cancel`: stops pending work whose handle was cancelled. */
  export type Cancel = (work: PendingWork) => void | Promise<void>;

  export interface PendingWork {
    readonly handle: string;
    readonly input: JsonObject;
    readonly output?: JsonValue;
    readonly instanceKey: string;
    readonly agentName?: string;
    readonly toolCallId: string;
    readonly startedAt: string;
    readonly deadline: string;
    readonly toolName: string;
    readonly exportName: string;
    readonly config: JsonObject;
    readonly signal: AbortSignal;
    readonly logger: Console;
  }
}
