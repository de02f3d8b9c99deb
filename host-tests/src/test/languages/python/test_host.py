"""Tests of host.py through its pipes. Run: python3 -m unittest"""
import runpy
import signal
import unittest

from peer import CONTEXT, HOST, Peer


def invalid(message):
    return {"code": -32000, "message": message, "data": {"name": "ToolError", "code": "E_TOOL_RESULT_INVALID"}}


class HostTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.peer = Peer.loaded()

    @classmethod
    def tearDownClass(cls):
        cls.peer.close()

    def test_plain_and_asynchronous_handlers_run(self):
        self.assertEqual({"output": 3}, self.peer.invoke("calc.add", {"a": 1, "b": 2}))
        for name in ("echo", "echoLater", "awaitable"):
            self.assertEqual({"output": {"한": "글"}}, self.peer.invoke(name, {"한": "글"}))

    def test_a_load_that_fails_names_file_and_line(self):
        for file, message in (("syntax.py", "syntax.py:2: SyntaxError: invalid syntax"),
                              ("throws.py", "throws.py:1: RuntimeError: not today"),
                              ("imports.py", "imports.py:1: ModuleNotFoundError: No module named 'nonesuch'"),
                              ("absent.py", "absent.py does not exist"),
                              ("no_handlers.py", "no_handlers.py has no dict 'handlers'"),
                              ("no_function.py", "handlers['a'] is no function")):
            failure = self.peer.load(file)
            self.assertEqual((-32001, message), (failure["code"], failure["message"]))
            self.assertIn("Traceback", failure["data"]["stack"])

    def test_the_context_has_the_fields_of_the_call(self):
        self.peer.load("everything.py", digits=2)
        output = self.peer.invoke("context")["output"]
        self.assertEqual({
            "agent": "clerk", "instance": "office/1", "turn": "turn", "step": "step", "trace": "trace",
            "call": "call-1", "tool": "everything.py", "export": "context", "config": {"digits": 2},
            "caller": {"userId": "ada"}, "message": "m", "workdir": "/tmp", "deadline": "2026-11-27T10:00:30+00:00",
            "attempt": 2, "key": "key", "fence": 17, "runtime": "Runtime", "helper": 42, "handles": True}, output)
        self.assertEqual("NoneType", self.peer.invoke("context", runtime=False)["output"]["runtime"])

    def test_dataclasses_are_made_of_inputs(self):
        self.assertEqual({"output": {"total": 2.5, "items": [{"price": 1.25, "count": 2}], "note": None}},
                         self.peer.invoke("order", {"name": "n", "items": [{"price": 1.25, "count": 2}],
                                                    "colour": "blue", "extras": {"x": {"price": 1}}}))
        for wrong, message in (
                ({"items": []}, "$.name: the field is missing"),
                ({"name": 1, "items": []}, "$.name: a text is wanted, 1 was given"),
                ({"name": "", "items": []}, "$: a name is wanted"),
                ({"name": "n", "items": {}}, "$.items: an array is wanted, {} was given"),
                ({"name": "n", "items": [{"price": "x"}]}, '$.items[0].price: a number is wanted, "x" was given'),
                ({"name": "n", "items": [{"price": 1, "size": 1}]}, "$.items[0].size: there is no such field"),
                ({"name": "n", "items": [], "extras": {"x": {}}}, "$.extras.x.price: the field is missing"),
                ({"name": "n", "items": [], "size": "m"}, '$.size: one of "s", "l" is wanted, "m" was given'),
                ({"name": "n", "items": [], "colour": "c"}, "$.colour: one of 'red', 'blue' is wanted, \"c\" was given"),
        ):
            self.assertEqual({"code": -32000, "message": message,
                              "data": {"name": "InvalidInput", "code": "E_TOOL_INVALID_ARGS"}},
                             self.peer.invoke("order", wrong))

    def test_typed_dicts_are_checked(self):
        self.assertEqual({"output": {"limit": 1, "words": ["a"], "more": 2}},
                         self.peer.invoke("search", {"limit": 1.0, "words": ["a"], "more": 2}))
        for wrong, message in (({}, "$.limit: the field is missing"),
                               ({"limit": True}, "$.limit: a whole number is wanted, true was given"),
                               ({"limit": 1, "words": [1]}, "$.words[0]: a text is wanted, 1 was given")):
            self.assertEqual(message, self.peer.invoke("search", wrong)["message"])

    def test_outputs_become_json(self):
        self.assertEqual({"output": None}, self.peer.invoke("nothing"))
        self.assertEqual({"output": {"price": 1.5, "count": 1}}, self.peer.invoke("dataclass"))
        self.assertEqual({"output": "a\ufffd\u2028\n"}, self.peer.invoke("half"))

    def test_a_value_that_cannot_be_json_fails_with_its_place(self):
        for name, message in (("notANumber", "$.items[1].price: NaN is no JSON value"),
                              ("infinite", '$["a-b"]: -Infinity is no JSON value'),
                              ("set", "$.a: a set is no JSON value"), ("bytes", "$: a bytes is no JSON value"),
                              ("object", "$[0]: a object is no JSON value"),
                              ("key", "$: a tuple is no key of a JSON object"),
                              ("digits", "$: a number of more than 1000 digits"),
                              ("moreDigits", "$: a number of more than 1000 digits"),
                              ("cyclic", "$.list[0]: the value contains itself"),
                              ("long", "the output has 5000002 bytes, at most 4194048 may be")):
            self.assertEqual(invalid(message), self.peer.invoke(name))
        for name in ("deep", "deepest"):
            self.assertRegex(self.peer.invoke(name)["message"], r"^\$\[0].*: nested deeper than 400 levels$")

    def test_failures_keep_name_code_suggestion_and_help_address(self):
        self.assertEqual({"code": -32000, "message": "wrong", "data": {
            "name": "ToolError", "code": "E_WRONG", "suggestion": "right", "helpUrl": "https://help"}},
            self.peer.invoke("coded"))
        self.assertEqual({"code": -32000, "message": "'absent'", "data": {"name": "KeyError"}},
                         self.peer.invoke("raised"))
        self.assertEqual({"code": -32000, "message": "TimeoutError", "data": {"name": "TimeoutError"}},
                         self.peer.invoke("timeOut"))

    def test_pending_results_have_their_handle(self):
        self.assertEqual({"pending": {"handle": "b-1", "output": {"message": "begun"}, "token": "secret",
                                      "silentAtMostMs": 2000, "waitingFor": "ci"}}, self.peer.invoke("pending"))
        self.assertEqual({"pending": {"handle": "b-2", "output": {"message": "빌드"}}}, self.peer.invoke("async"))
        self.assertEqual("E_TOOL_RESULT_INVALID", self.peer.invoke("noHandle")["data"]["code"])

    def test_a_ping_is_answered_while_handlers_wait_and_cancellation_reaches_them(self):
        timeout = {"code": -32000, "message": "the deadline has passed",
                   "data": {"name": "ToolError", "code": "E_TOOL_TIMEOUT"}}
        for name, answer in (("untilCancelled", {"output": "woken"}), ("catch", {"output": {"cancelled": True}}),
                             ("sleep", timeout)):
            call = self.peer.start(name)
            pong = self.peer.ask("ping")
            self.assertEqual(1, pong["inFlight"])
            self.assertGreater(pong["rss"], 5_000_000)
            self.peer.notify("cancel", id=call, reason="deadline")
            self.assertEqual(answer, self.peer.answer(call))

    def test_progress_names_its_call(self):
        self.peer.notes.clear()
        call = self.peer.start("progress")
        self.peer.answer(call)
        self.assertEqual([{"id": call, "percent": 50, "message": "half"}, {"id": call, "message": "more"}],
                         [note["params"] for note in self.peer.notes])
        self.assertEqual("ValueError", self.peer.invoke("wrongProgress")["data"]["name"])

    def test_logs_name_their_call_and_prints_do_not_reach_the_protocol(self):
        self.peer.notes.clear()
        call = self.peer.start("logs")
        self.peer.answer(call)
        lines = [note["params"] for note in self.peer.notes]
        self.assertEqual([("info", "1 of", call), ("warn", "careful", call), ("debug", "detail", call),
                          ("error", "wrong", call), ("info", "from a library", None), ("info", "z" * 8191 + "…", call)],
                         [(line["level"], line["message"].split("\n")[0], line.get("id")) for line in lines])
        self.assertIn("ZeroDivisionError", lines[3]["message"])
        self.assertEqual("a print\n", self.peer.prints.get(timeout=30))

    def test_services_block_plain_handlers_and_are_awaited_in_others(self):
        self.assertEqual({"output": {
            "request": {"eventId": "e", "target": "coder", "response": "hi", "correlationId": "c5"},
            "send": {"eventId": "e", "target": "coder", "accepted": True},
            "spawn": {"target": "coder", "instanceKey": "i", "spawned": True, "cwd": "/src"},
            "list": {"agents": [{"target": "coder", "instanceKey": "i"}]},
            "catalog": {"selfAgent": "clerk", "availableAgents": ["clerk"], "callableAgents": []}}},
            self.peer.invoke("services"))
        self.assertEqual({"output": [
            {"eventId": "e", "target": "coder", "response": "hi", "correlationId": "cNone"}, {"agents": []}]},
            self.peer.invoke("servicesLater"))
        self.assertEqual({"output": ["AgentError", "E_AGENT", "ask ada", "no such agent"]},
                         self.peer.invoke("refused"))
        self.assertEqual({"name": "AgentError", "code": "E_AGENT", "suggestion": "ask ada"},
                         self.peer.invoke("refusedLater")["data"])

    def test_reconcile_poll_and_cancel_work_call_the_functions_of_the_module(self):
        def reconcile(**input):
            return self.peer.ask("reconcile", tool="everything.py", export="echo", context=CONTEXT, input=input)

        def work(method, handle):
            return self.peer.ask(method, tool="everything.py", export="echo", work={
                "handle": handle, "input": {"n": 1}, "instanceKey": "i", "toolCallId": "call",
                "startedAt": CONTEXT["deadline"], "deadline": CONTEXT["deadline"]})

        self.assertEqual({"verdict": "happened", "output": 2}, reconcile(happened=True))
        self.assertEqual({"verdict": "didNotHappen"}, reconcile(verdict="didNotHappen"))
        self.assertEqual({"verdict": "unknown"}, reconcile())
        self.assertEqual("E_TOOL_RESULT_INVALID", reconcile(verdict="perhaps")["data"]["code"])
        self.assertEqual({"state": "running", "percent": 5, "message": "slow"}, work("poll", "running"))
        self.assertEqual({"state": "completed", "output": {"n": 1}}, work("poll", "completed"))
        self.assertEqual({"state": "failed", "error": {"code": "E_OVEN", "message": "burnt", "name": "ToolError"}},
                         work("poll", "failed"))
        self.assertEqual({}, work("cancelWork", "running"))
        self.assertEqual("stopped running", self.peer.notes[-1]["params"]["message"])

    def test_requests_that_do_not_fit_are_refused(self):
        self.assertEqual(-32601, self.peer.ask("invent")["code"])
        self.assertEqual(-32602, self.peer.invoke("absent")["code"])
        self.assertEqual(-32602, self.peer.invoke("echo", tool="absent")["code"])
        self.peer.notify("invent")
        self.peer.write_bytes(b"no json\n\n[1]\n")
        self.assertEqual({"output": {"n": 1}}, self.peer.invoke("echo", {"n": 1}))
        self.assertIn("no JSON object", self.peer.prints.get(timeout=30) + self.peer.prints.get(timeout=30))

    def test_messages_arrive_whole_however_the_pipe_cuts_them(self):
        call = self.peer.start("echo", {"text": "글" * 1_000_000})
        line = '{"jsonrpc":"2.0","method":"cancel","params":{"id":0,"한":"글"}}\n'.encode()
        for start in range(0, len(line), 5):
            self.peer.write_bytes(line[start:start + 5])
        self.assertEqual(1_000_000, len(self.peer.answer(call)["output"]["text"]))
        self.assertEqual({"output": {"n": 1}}, self.peer.invoke("echo", {"n": 1}))

    def test_answers_wait_in_order_for_a_worker_that_does_not_read(self):
        self.peer.may_read.clear()
        calls = [self.peer.start("large") for _ in range(30)]
        self.peer.may_read.set()
        for call in calls:
            self.assertEqual(1_000_000, len(self.peer.answer(call)["output"]))

    def test_other_calls_go_on_while_a_thread_computes_and_the_end_of_the_input_ends_it(self):
        peer = Peer.loaded()
        peer.start("compute")
        self.assertEqual({"output": {"n": 1}}, peer.invoke("echo", {"n": 1}))
        self.assertEqual({"output": {"n": 1}}, peer.invoke("echoLater", {"n": 1}))
        self.assertEqual(1, peer.ask("ping")["inFlight"])
        self.assertEqual(0, peer.close())

    def test_the_end_of_the_input_ends_a_process_whose_event_loop_is_stuck(self):
        peer = Peer.loaded()
        peer.start("computeOnTheLoop")
        self.assertEqual({"output": {"n": 1}}, peer.invoke("echo", {"n": 1}))
        self.assertEqual(0, peer.close())

    def test_drain_ends_the_process_after_the_calls_at_work(self):
        peer = Peer.loaded()
        call, large = peer.start("untilCancelled"), [peer.start("large") for _ in range(20)]
        peer.notify("drain")
        peer.notify("cancel", id=call, reason="cancelled")
        self.assertEqual({"output": "woken"}, peer.answer(call))
        for each in large:
            self.assertEqual(1_000_000, len(peer.answer(each)["output"]))
        self.assertEqual(0, peer.end())

    def test_a_handler_that_wants_too_much_memory_fails_alone(self):
        peer = Peer.loaded(TOOLFLEET_HOST_MEMORY="200000000")
        self.assertEqual("MemoryError", peer.invoke("memory")["data"]["name"])
        calls = [peer.start("untilCancelled") for _ in range(64)]
        self.assertEqual({"output": {"n": 1}}, peer.invoke("echo", {"n": 1}))
        for call in calls:
            peer.notify("cancel", id=call, reason="cancelled")
        self.assertEqual([{"output": "woken"}] * 64, [peer.answer(call) for call in calls])
        peer.close()

    def test_signals_to_all_processes_leave_the_end_to_the_worker(self):
        peer = Peer.loaded()
        call = peer.start("untilCancelled")
        peer.ask("ping")
        peer.process.send_signal(signal.SIGTERM)
        peer.process.send_signal(signal.SIGINT)
        self.assertEqual({"output": {"n": 1}}, peer.invoke("echoLater", {"n": 1}))
        peer.notify("cancel", id=call, reason="cancelled")
        self.assertEqual({"output": "woken"}, peer.answer(call))
        self.assertEqual(0, peer.close())

    def test_sys_exit_ends_the_process_with_its_status(self):
        peer = Peer.loaded()
        call = peer.start("leave")
        with self.assertRaises(EOFError):
            peer.answer(call)
        self.assertEqual(3, peer.end())

    def test_the_stand_in_for_tests_has_the_names_of_the_host_module(self):
        stand_in = runpy.run_path(str(HOST.with_name("toolfleet_host.py")))
        host = runpy.run_path(str(HOST))
        for name in (each for each in stand_in if not each.startswith("__")):
            self.assertIn(name, host)
        self.assertEqual(host["pending"]("h", 1, silent_at_most=2).fields,
                         stand_in["pending"]("h", 1, silent_at_most=2).fields)
        types = HOST.with_name("toolfleet_host.pyi").read_text()
        for name in ("ToolError", "Pending", "Context", "AsyncContext", "Runtime", "AsyncRuntime", "Work"):
            self.assertIn(f"class {name}", types)
            self.assertIn(name, stand_in)


if __name__ == "__main__":
    unittest.main()
