export { Agent, Step, type CallOptions, type ParallelCall, type StepOptions } from "./agent.js";
export { Call, type AnsweredCall } from "./call.js";
export { Toolfleet, type CallQuery } from "./client.js";
export { ConnectionError, ProblemError, ToolCallError, ToolfleetError } from "./errors.js";
export type { ToolfleetOptions } from "./transport.js";
export type * from "./types.js";
