package dev.toolfleet.tool;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.node.ObjectNode;

/// Code of a Tool: one handler per export.
///
/// **Contract.** A worker makes one module per Tool with its no-argument constructor. It calls [#configure] once, then
/// [#handlers], and [#close] when the bundle is replaced or the worker stops.
///
/// **Threads.** These methods run on a thread of the module's own, and may block. A module that has not loaded within
/// 30 s is reported, and used if it loads after all. One that has not closed within 30 s is interrupted. No call of
/// another bundle waits for it.
public interface ToolModule extends AutoCloseable {

    /// Receives `spec.config` of the Tool, an empty object when it has none. Throw to reject it: the worker then
    /// reports the Tool as broken and does not become ready.
    default void configure(ObjectNode config) {}

    /// Returns the handlers by export name; every declared export needs one. Called once.
    Map<String, ToolHandler> handlers();

    /// Decides whether a call happened whose worker died between the call's intent and its result (promise G3). The
    /// worker that inherited the call calls this, and only for an export that is neither read-only nor idempotent. The
    /// call may have happened, in part or in full.
    ///
    /// - [Reconciliation#happened]: its output is published as the call's result.
    /// - [Reconciliation#didNotHappen]: the handler starts again, with the next [ToolContext#attempt]. Only a tool that
    ///   rejects the late start may return it, for example by idempotency key or fencing token.
    /// - [Reconciliation#unknown], which is the default, an exception, null, or no answer by the deadline: the call
    ///   ends with `E_TOOL_OUTCOME_UNKNOWN`.
    ///
    /// Runs on a virtual thread, which is interrupted at the deadline: 30 s, or the export's timeout if that is
    /// shorter. It may be called again, so it must only read.
    ///
    /// @param export the export that was called
    /// @param context the call's own, with the attempt and the idempotency key of the start in doubt; the deadline is
    ///        that of this method
    /// @param input the arguments with which the handler was to be started
    /// @throws Exception counts as unknown
    default Reconciliation reconcile(String export, ToolContext context, ObjectNode input) throws Exception {
        return Reconciliation.unknown();
    }

    /// Declares the files on which a call depends beside its arguments, such as a script that it runs.
    ///
    /// Called when the call needs approval: the files' digests go into the approval, and their texts into the question.
    /// Called again when the approved call is about to start: if a file has another content by then, approval is
    /// requested anew.
    ///
    /// Runs on a virtual thread under the call's deadline and must only read; it may be called any number of times.
    /// Returns none unless overridden: an approval then binds the arguments alone.
    ///
    /// @param export the export that is called
    /// @param input the arguments, already checked against the export's schema
    /// @throws Exception ends the call, as an exception of its handler would
    default List<Operand> operands(String export, ToolContext context, ObjectNode input) throws Exception {
        return List.of();
    }

    /// Polls pending work, for an export that declares `async.poll`: for systems that cannot report by an event. One
    /// worker at a time calls it at the declared interval; when that one dies, another does. An exception counts as
    /// "not known now": the next poll comes later, and the error is logged.
    ///
    /// Runs on a virtual thread, which is interrupted after 30 s. It may be called again after the work has ended.
    ///
    /// @param export the export that was called
    /// @throws Exception counts as not known now
    default PollAnswer poll(String export, PendingWork work) throws Exception {
        throw new UnsupportedOperationException("export '" + export + "' declares async.poll, and "
                + getClass().getName() + " does not implement poll");
    }

    /// Stops the work behind a handle after its cancellation, in the place where it runs. The call itself has ended by
    /// then, whatever this does; later reports of the work become dead letters. May be called twice, and for work that
    /// has ended.
    ///
    /// Runs on a virtual thread, which is interrupted after 30 s; an exception is logged. Does nothing unless
    /// overridden.
    ///
    /// @param export the export that was called
    /// @throws Exception is logged
    default void cancel(String export, PendingWork work) throws Exception {}

    /// Frees the module's resources. Running handlers have ended or were interrupted before.
    @Override
    default void close() {}
}
