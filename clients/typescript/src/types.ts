/** The gateway's records, from its own description. `npm run generate` makes `schema.ts` of docs/openapi.json. */
import type { components } from "./schema.js";

type Schemas = components["schemas"];

export type Approval = Schemas["Approval"];
export type ApprovalList = Schemas["ApprovalList"];
export type CallList = Schemas["CallList"];
export type CallRequest = Schemas["CallRequest"];
export type CallState = Schemas["CallState"];
export type CallWait = Schemas["CallWait"];
export type Catalog = Schemas["Catalog"];
export type CompletionRequest = Schemas["CompletionRequest"];
export type DecisionRequest = Schemas["DecisionRequest"];
export type Problem = Schemas["Problem"];
export type Progress = Schemas["Progress"];
export type Prompt = Schemas["Prompt"];
export type ResultList = Schemas["ResultList"];
export type SessionMessages = Schemas["SessionMessages"];
export type SessionState = Schemas["SessionState"];
export type StepAnswer = Schemas["StepAnswer"];
export type StepRequest = Schemas["StepRequest"];
export type ToolError = Schemas["ToolError"];
export type ToolResult = Schemas["ToolResult"];

/** A format of tool definitions: the fleet's own, or that of a model's provider. */
export type ToolFormat = StepAnswer["format"];

/** A final result of an instance, with the position behind which a reader continues. */
export type InstanceResult = ResultList["results"][number];

/** A report of the progress of a call, as on `tool.progress`. */
export interface ProgressReport {
  toolCallId: string;
  toolName: string;
  instanceKey: string;
  agentName?: string;
  turnId?: string;
  stepId?: string;
  /** Present for a call that is pending. */
  handle?: string;
  progress: Progress;
  at: string;
}

/** An event of a call. `result` is the last one. A call that has ended has no `progress`. */
export type CallEvent =
  | { event: "accepted"; id: string; data: { id: string; acceptedAt: string; call: CallState["call"] } }
  | { event: "progress"; id: string; data: ProgressReport }
  | { event: "pending"; id: string; data: { result: ToolResult; waitsFor?: CallWait } }
  | { event: "result"; id: string; data: ToolResult };
