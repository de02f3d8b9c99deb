package dev.toolfleet.tool;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.node.ObjectNode;

/// The code behind a Tool: one handler per export. A worker makes one module per Tool with its no-argument constructor,
/// calls [#configure] once, then [#handlers], and [#close] when the bundle is replaced or the worker stops.
///
/// These run on a thread of the module's own, and may block. A module that has not loaded within 30 s is reported, and
/// used if it loads after all; one that has not closed within 30 s is interrupted. No call of another bundle waits for it.
public interface ToolModule extends AutoCloseable {

    /// Receives `spec.config` of the Tool, an empty object when it has none. Throw to refuse it: the worker then
    /// reports the Tool as broken and does not become ready.
    default void configure(ObjectNode config) {}

    /// The handlers by export name; every declared export needs one. Asked once.
    Map<String, ToolHandler> handlers();

    /// Says whether a call happened whose worker died between the call's intent and its result (promise G3). Asked by
    /// the worker that inherited the call, and only for an export that is neither read-only nor idempotent; the call may
    /// have happened, in part or in full.
    ///
    /// - [Reconciliation#happened]: its output is published as the call's result.
    /// - [Reconciliation#didNotHappen]: the handler starts again, with the next [ToolContext#attempt]. Only a tool that
    ///   makes the late start be refused may say so, for example by idempotency key or fencing token.
    /// - [Reconciliation#unknown], which is the default, an exception, null, or no answer by the deadline: the call
    ///   ends with `E_TOOL_OUTCOME_UNKNOWN`.
    ///
    /// Runs on a virtual thread, which is interrupted at the deadline: 30 s, or the export's timeout if that is
    /// shorter. It may itself be asked again, so it only looks.
    ///
    /// @param export the export that was called
    /// @param context the call's own, with the attempt and the idempotency key of the start in doubt; the deadline is
    ///        that of this question
    /// @param input the arguments with which the handler was to be started
    /// @throws Exception counts as not knowing
    default Reconciliation reconcile(String export, ToolContext context, ObjectNode input) throws Exception {
        return Reconciliation.unknown();
    }

    /// Declares the files on which a call depends beside its arguments, such as a script that it runs. Asked when a person
    /// has to approve the call: their digests go into the approval and their texts into the question. Asked again when the
    /// approved call is about to start: if a file has another content by then, a person is asked anew.
    ///
    /// Runs on a virtual thread under the call's deadline and only looks; it may be asked any number of times. None unless
    /// overridden: an approval then binds the arguments alone.
    ///
    /// @param export the export that is called
    /// @param input the arguments, already checked against the export's schema
    /// @throws Exception ends the call, as an exception of its handler would
    default List<Operand> operands(String export, ToolContext context, ObjectNode input) throws Exception {
        return List.of();
    }

    /// Asks how pending work goes, for an export that declares `async.poll`: for systems that cannot report by an event.
    /// Asked at the declared interval, by one worker at a time; when that one dies, by another. An exception counts as
    /// "not known now": the next question comes later, and the error is logged.
    ///
    /// Runs on a virtual thread, which is interrupted after 30 s. The same work may be asked about again after it has
    /// ended.
    ///
    /// @param export the export that was called
    /// @throws Exception counts as not knowing
    default PollAnswer poll(String export, PendingWork work) throws Exception {
        throw new UnsupportedOperationException("export '" + export + "' declares async.poll, and "
                + getClass().getName() + " does not implement poll");
    }

    /// Hears that nobody wants the work behind a handle any more, because somebody cancelled it: stops it where it goes
    /// on. The call itself has ended then, whatever this does; what the work says later becomes a dead letter. May be
    /// told twice, and of work that has ended.
    ///
    /// Runs on a virtual thread, which is interrupted after 30 s; an exception is logged. Does nothing unless overridden.
    ///
    /// @param export the export that was called
    /// @throws Exception is logged
    default void cancel(String export, PendingWork work) throws Exception {}

    /// Frees what the module holds. Running handlers have ended or were interrupted before.
    @Override
    default void close() {}
}
