"""What this client does when gateways and proxies fail, against servers of this process."""

import json
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from toolfleet import ConnectionFailed, ProblemError, Toolfleet, _transport

DONE = {"toolCallId": "c", "toolName": "t", "status": "ok", "output": 1}
PENDING = {"toolCallId": "c", "toolName": "t", "status": "pending", "output": 0}
NAMES = {"digest": "d", "names": {}, "arguments": {}, "tools": [], "turnId": "t", "stepId": "s"}


def event(name, id, data):
    return f"event: {name}\nid: {id}\ndata: {json.dumps(data)}\n\n".encode()


class Asked(BaseHTTPRequestHandler):
    def do_GET(self):
        with self.server.lock:
            self.server.asked.append(self)
            number = len(self.server.asked)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.answer(self, number)

    do_POST = do_GET

    def reply(self, body, status=200, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

    def log_message(self, *_):
        pass


def accepted(asked, _):
    asked.reply({"id": "c", "stage": "accepted"}, 202, [("Location", "/v1/calls/0-1")])


class FaultsTest(unittest.TestCase):
    def served(self, answer):
        """Serves a test: `answer` gets the request and its number."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), Asked)
        server.answer, server.asked, server.lock = answer, [], threading.Lock()
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}", server.asked

    def silent(self, seconds):
        """The address of a gateway that closes each connection after a time, without an answer."""
        return self.served(lambda *_: time.sleep(seconds))[0]

    def test_a_gateway_that_is_silent_for_all_of_retry_for_is_left_for_the_next_one(self):
        url, _ = self.served(lambda asked, number: asked.reply({"calls": [number]}))
        self.assertEqual({"calls": [1]}, Toolfleet([self.silent(0.1), url], retry_for=0.02).calls())

    def test_each_gateway_is_asked_and_the_first_one_twice_before_the_client_gives_up(self):
        with self.assertRaises(ConnectionFailed) as raised:
            Toolfleet([self.silent(0.02), self.silent(0.02)], retry_for=0.001).calls()
        self.assertEqual(3, raised.exception.attempts)

    def test_a_connection_counts_as_lost_before_an_answer_does(self):
        self.assertLess(_transport.CONNECT_TIMEOUT, _transport.SILENCE)
        url, _ = self.served(lambda asked, _: time.sleep(0.4) or asked.reply({"calls": []}))
        before, _transport.CONNECT_TIMEOUT = _transport.CONNECT_TIMEOUT, 0.2
        self.addCleanup(setattr, _transport, "CONNECT_TIMEOUT", before)
        self.assertEqual({"calls": []}, Toolfleet(url, retry_for=0).calls())

    def test_requests_that_fail_at_one_gateway_together_lead_to_the_next_one(self):
        healthy, asked = self.served(lambda asked, _: asked.reply({"calls": []}))
        third, strayed = self.served(lambda asked, _: asked.reply({}, 500))
        fleet = Toolfleet([self.silent(0.2), healthy, third])
        threads = [threading.Thread(target=fleet.calls) for _ in range(2)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual((2, 0), (len(asked), len(strayed)))

    def test_a_stream_behind_the_result_ends(self):
        url, _ = self.served(lambda asked, _: asked.reply(b"" if asked.path.endswith("/events") else {"result": DONE}))
        call = Toolfleet(url).call("0-1")
        self.assertEqual([], list(call.events("9")))
        self.assertEqual(DONE, call.result)

    def test_a_result_that_comes_after_the_end_of_an_empty_stream_is_an_event(self):
        streams = []

        def answer(asked, _):
            if not asked.path.endswith("/events"):
                asked.reply({"result": DONE})
                return
            streams.append(asked)
            asked.reply(b"" if len(streams) == 1 else event("result", "2", DONE))

        url, _ = self.served(answer)
        self.assertEqual(["result"], [each.event for each in Toolfleet(url).call("0-1").events()])

    def test_a_reader_that_is_slower_than_retry_for_goes_on_after_a_cut(self):
        def answer(asked, number):
            behind = asked.headers["Last-Event-ID"] == "1"
            asked.reply(event("accepted", "1", {}) if number == 1 else event("result", "2", DONE) if behind else b"")

        url, _ = self.served(answer)
        seen = []
        for each in Toolfleet(url, retry_for=0.05).call("0-1").events():
            seen.append(each.event)
            time.sleep(0.15)
        self.assertEqual(["accepted", "result"], seen)

    def test_close_ends_a_reader_of_another_thread_without_an_error(self):
        def answer(asked, _):
            asked.protocol_version = "HTTP/1.1"
            asked.reply(b"", headers=[("Transfer-Encoding", "chunked")])
            part = event("accepted", "1", {}) + b": still here\n"
            asked.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            closed.wait(10)
            asked.close_connection = True

        closed = threading.Event()
        self.addCleanup(closed.set)
        url, _ = self.served(answer)
        for _ in range(10):
            events = Toolfleet(url).call("0-1").events()
            self.assertEqual("accepted", next(events).event)
            ends = []

            def read():
                try:
                    ends.append(list(events))
                except BaseException as e:
                    ends.append(e)

            reader = threading.Thread(target=read)
            reader.start()
            time.sleep(0.02)
            events.close()
            reader.join(5)
            self.assertEqual([[]], ends)

    def test_events_that_are_read_again_leave_the_final_result(self):
        url, _ = self.served(lambda asked, _: asked.reply(event("pending", "1", {"result": PENDING}) + event("result", "2", DONE)))
        call = Toolfleet(url).call("0-1")
        call.final()
        self.assertEqual([DONE, DONE], [call.result for _ in call.events()])

    def test_an_id_without_a_value_is_no_name_of_a_call(self):
        url, asked = self.served(accepted)
        agent = Toolfleet(url).agent("i", "a")
        agent.start("t", id=None, turnId="t", stepId="s")
        agent.start("t", id="c", turnId="t", stepId="s")
        self.assertRegex(asked[0].headers["Idempotency-Key"], "^[0-9a-f]{32}$")
        self.assertIsNone(asked[1].headers["Idempotency-Key"])

    def test_a_proxy_that_drops_location_leaves_the_other_header(self):
        url, _ = self.served(lambda asked, _: asked.reply({"stage": "accepted"}, 202, [("Toolfleet-Call-Id", "0-7")]))
        self.assertEqual("0-7", Toolfleet(url).agent("i", "a").start("t").id)

    def test_a_proxys_answers_are_those_of_no_gateway(self):
        def answer(asked, number):
            if number == 1:
                asked.reply({"type": "about:blank"}, 503)
            elif number == 2:
                asked.reply(b"<html>Welcome</html>")
            else:
                asked.reply({"type": "about:blank", "status": "no"}, 404)

        url, asked = self.served(answer)
        with self.assertRaises(ProblemError) as raised:
            Toolfleet(url).calls()
        self.assertEqual((404, 3), (raised.exception.status, len(asked)))
        self.assertIn("about:blank", raised.exception.problem["detail"])

    def test_mistakes_of_a_program_fail_before_the_first_request(self):
        def no_token():
            raise OSError("no token")

        url, asked = self.served(accepted)
        with self.assertRaisesRegex(ValueError, "url is 'gateway:8080'; it must be"):
            Toolfleet("gateway:8080")
        with self.assertRaises(TypeError):
            Toolfleet(url).agent("i", "a").start("t", {"big": object()})
        with self.assertRaisesRegex(OSError, "no token"):
            Toolfleet(url, token=no_token).calls()
        self.assertEqual([], asked)

    def test_a_call_that_is_refused_ends_those_behind_it(self):
        def answer(asked, number):
            if asked.path.endswith("/steps"):
                asked.reply(NAMES)
            elif number == 3:
                asked.reply({"type": "urn:toolfleet:problem:identity-conflict", "detail": "other"}, 422)
            else:
                accepted(asked, number)

        url, asked = self.served(answer)
        step = Toolfleet(url).agent("i", "a").step("t", "s")
        with self.assertRaises(ProblemError):
            step.call_all([{"name": "a"}, {"name": "b"}, {"name": "c"}])
        self.assertEqual(3, len(asked))

    def test_a_step_waits_for_longer_than_the_gateway_does_for_its_catalog(self):
        waits = []

        class Slow(_transport.Connection):
            def __init__(self, url, silence, context):
                waits.append(silence)
                super().__init__(url, silence, context)

        before, _transport.Connection = _transport.Connection, Slow
        self.addCleanup(setattr, _transport, "Connection", before)
        url, _ = self.served(lambda asked, _: asked.reply(NAMES))
        Toolfleet(url).agent("i", "a").step("t", "s")
        self.assertEqual([60.0], waits)


unittest.main()
