"""The Python client against answers that no service should give: each is a clear error."""

import asyncio
import gzip
import json
import pickle
import threading
import time
import unittest
from unittest import mock

from belljar import AsyncClient, Display, Retry, SandboxError, ValidationFailedError, connect
from belljar import _call, _run
from scripted_service import END_OF_CHUNKS, RESULT, ScriptedService, Unfinished, answer, stream

TOKEN = "a-token-of-the-tests"
FAST = Retry(base_delay=0.001)
END = {"type": "end", "execution": RESULT}


def failure(code, message="no", **fields):
    return {"code": code, "message": message, "context": {}, **fields}


class Answers(unittest.TestCase):
    def run_code(self, *answers, retry=FAST, **options):
        """The result or error of a run in a sandbox, with either client, and the requests."""
        outcomes = []
        for call in (self.blocking, self.asynchronous):
            with ScriptedService(*answers) as service:
                try:
                    outcome = call(service.url, retry, options)
                except SandboxError as error:
                    outcome = error
                self.assertNotIn(TOKEN, repr(outcome) + str(outcome))
                outcomes.append((outcome, service.requests, service.url))
        (first, *_), (second, *_) = outcomes
        self.assertEqual(type(first), type(second))
        return outcomes[0]

    def blocking(self, url, retry, options):
        with connect(url, TOKEN, retry=retry) as client:
            return client.sandbox("a").run_code("python", "1", **options)

    def asynchronous(self, url, retry, options):
        async def run():
            async with AsyncClient(url, TOKEN, retry=retry) as client:
                return await client.sandbox("a").run_code("python", "1", **options)

        return asyncio.run(run())

    def assert_error(self, outcome, code, status, message):
        self.assertIsInstance(outcome, SandboxError, outcome)
        self.assertEqual((outcome.code, outcome.http_status), (code, status), outcome)
        self.assertIn(message, str(outcome))

    def test_answers_of_another_shape_name_the_field(self):
        unexpected = "The service answered with something unexpected: "
        cases = [
            (b"", "the answer is not JSON"),
            (b"<html>hello</html>", "the answer is not JSON"),
            (b"\xff", "the answer is not UTF-8"),
            (b"[" * 200_000, "the answer is not JSON"),
            (b"[]", "the answer is not an object"),
            ({**RESULT, "code": 1}, "code is not a string"),
            ({**RESULT, "logs": {"stdout": [1], "stderr": []}}, "logs.stdout is not an array of"),
            ({**RESULT, "results": [1]}, "results[0] is not an object"),
            ({**RESULT, "usage": {"fuelConsumed": "x"}}, "usage.fuelConsumed is not a number"),
            ({**RESULT, "durationMs": True}, "durationMs is not a number"),
            (json.dumps({**RESULT, "durationMs": float("nan")}).encode(), "the answer is not JSON"),
            (json.dumps(RESULT).encode()[:-9], "the answer is not JSON"),
        ]
        for body, message in cases:
            with self.subTest(message):
                outcome, requests, _url = self.run_code(answer(body))
                self.assert_error(outcome, "INTERNAL_ERROR", 502, unexpected + message)
                self.assertEqual(len(requests), 1)

    def test_errors_of_others_than_the_service(self):
        page = b"<html><h1>Bad gateway</h1></html>"
        cases = [(404, "INTERNAL_ERROR"), (302, "INTERNAL_ERROR"), (401, "UNAUTHORIZED")]
        cases += [(status, "INTERNAL_ERROR") for status in (500, 502, 503, 504)]
        for status, code in cases:
            with self.subTest(status=status):
                outcome, requests, _url = self.run_code(answer(page, status))
                self.assert_error(outcome, code, status, f"answered with status {status}")
                self.assertEqual(len(requests), 1)

    def test_errors_of_the_service(self):
        body = failure("OF_LATER", "new", context={"a": 1}, operation="x.y", timestamp="then")
        outcome, _requests, _url = self.run_code(answer(body, 418))
        self.assert_error(outcome, "OF_LATER", 418, "new")
        self.assertEqual((outcome.context, outcome.operation), ({"a": 1}, "x.y"))
        self.assertEqual(str(pickle.loads(pickle.dumps(outcome))), "new")
        outcome, _requests, _url = self.run_code(answer(failure("VALIDATION_FAILED"), 400))
        self.assertIsInstance(outcome, ValidationFailedError)

    def test_refusals_are_tried_again(self):
        refused = answer(failure("RATE_LIMITED"), 429, ["retry-after: 0"])
        busy = answer(failure("OVERLOADED", context={"retryAfterMs": 1}), 503)
        outcome, requests, _url = self.run_code(refused, busy, answer(RESULT))
        self.assertEqual((outcome.value, len(requests)), ("1", 3))
        outcome, requests, _url = self.run_code(busy, busy, busy, busy)
        self.assert_error(outcome, "OVERLOADED", 503, "no")
        self.assertEqual(len(requests), 4)
        long = answer(failure("OVERLOADED", context={"retryAfterMs": 31_000}), 503)
        outcome, requests, _url = self.run_code(long)
        self.assertEqual((outcome.retry_after_ms, len(requests)), (31_000, 1))
        outcome, requests, _url = self.run_code(refused, retry=False)
        self.assertEqual(len(requests), 1)

    def test_a_broken_connection_is_not_tried_again_without_a_key(self):
        whole = answer(RESULT)
        for broken in (None, whole[:30], whole[:-9], stream({"type": "start"})):
            for options in ({}, {"on_stdout": lambda line: None}):
                with self.subTest(broken=broken, options=options):
                    outcome, requests, url = self.run_code(broken, **options)
                    self.assert_error(outcome, "UNREACHABLE", 502, url)
                    self.assertIn("The run may have happened", str(outcome))
                    self.assertEqual(outcome.context, {"address": url, "sent": True})
                    self.assertEqual((len(requests), outcome.retryable), (1, False))

    def test_with_a_key_it_is_and_each_line_is_heard_once(self):
        heard = []
        first = stream({"type": "stdout", "text": "a"})
        second = stream({"type": "stdout", "text": "a"}, END, end=END_OF_CHUNKS)
        for call in (self.blocking, self.asynchronous):
            heard.clear()
            with ScriptedService(first, None, answer(b"", 502), second) as service:
                options = {"on_stdout": heard.append, "idempotency_key": "k"}
                self.assertEqual(call(service.url, FAST, options).value, "1")
                self.assertEqual(heard, ["a", "grüße"])
                keys = [request["headers"]["idempotency-key"] for request in service.requests]
                self.assertEqual(keys, ["k"] * 4)

    def test_streams_of_any_pieces_and_later_events(self):
        heard = []
        events = [{"type": "start"}, {"type": "stdout", "text": "grüße 🌍"}, {"type": "of-later"}]
        prepared = stream(*events, {"type": "keepalive"}, END)  # its end never comes
        outcome, _requests, _url = self.run_code(prepared, on_stdout=heard.append)
        self.assertEqual((outcome.value, heard), ("1", ["grüße 🌍", "grüße"] * 2))

    def test_streams_that_are_no_streams(self):
        cases = [
            (stream(end=b"no json\n"), "the answer is not JSON"),
            (stream({"type": 1}), "type is not a string"),
            (stream({"type": "stdout"}), "text is not a string"),
            (stream({"type": "end", "execution": 1}), "execution is not an object"),
        ]
        for prepared, message in cases:
            with self.subTest(message):
                outcome, _requests, _url = self.run_code(prepared, on_stdout=lambda line: None)
                self.assert_error(outcome, "INTERNAL_ERROR", 502, message)
        failed = {"type": "failed", "error": failure("CONFLICT", "gone", httpStatus=409)}
        outcome, _requests, _url = self.run_code(stream(failed), on_stdout=lambda line: None)
        self.assert_error(outcome, "CONFLICT", 409, "gone")

    def test_answers_without_end_are_bounded(self):
        with mock.patch.object(_call, "MAX_ANSWER_BYTES", 10):
            with mock.patch.object(_call.read_body, "__defaults__", (10,)):
                outcome, _requests, _url = self.run_code(answer(RESULT))
        self.assert_error(outcome, "INTERNAL_ERROR", 502, "larger than 10 bytes")
        with mock.patch.object(_run, "MAX_LINE_BYTES", 10):
            outcome, _requests, _url = self.run_code(stream(END), on_stdout=lambda line: None)
        self.assert_error(outcome, "INTERNAL_ERROR", 502, "larger than 10 bytes")

    def test_compressed_answers_are_read_and_damaged_ones_are_not(self):
        packed = gzip.compress(json.dumps(RESULT).encode())
        headers = ["content-encoding: gzip"]
        self.assertEqual(self.run_code(answer(packed, 200, headers))[0].value, "1")
        outcome, _requests, _url = self.run_code(answer(b"no gzip", 200, headers))
        self.assert_error(outcome, "UNREACHABLE", 502, "broke before its answer was whole")

    def test_a_run_that_waits_is_followed_when_its_stream_breaks(self):
        call = {"key": "r/1", "name": "find", "arguments": {"q": "x"}}
        broken = stream({"type": "start", "run": "r"}, {"type": "call", "call": call})
        waiting = answer({**RESULT, "results": [], "waiting": {"run": "r", "calls": [call]}})
        options = {"tools": {"find": lambda q: time.sleep(0.3) or q}}
        for call_of in (self.blocking, self.asynchronous):
            with ScriptedService(broken, waiting, answer(RESULT)) as service:
                self.assertEqual(call_of(service.url, FAST, options).value, "1")
                _first, look, last = service.requests
                self.assertEqual(json.loads(look["body"]), {"answers": []})
                answers = [{"key": "r/1", "value": "x"}]
                self.assertEqual(json.loads(last["body"]), {"answers": answers})
                self.assertTrue(last["path"].endswith("/sandboxes/a/runs/r/answers"))

    def test_approvals_are_decided_by_the_caller(self):
        call = {"key": "r/1", "name": "pay", "arguments": {"sum": 5}, "approval": "always"}
        heard = stream({"type": "start", "run": "r"}, {"type": "call", "call": call})
        waiting = answer({**RESULT, "results": [], "waiting": {"run": "r", "calls": [call]}})
        denied = {"key": "r/1", "deny": "The call was not approved"}
        decisions = {True: {"key": "r/1", "approve": True}, "no": {"key": "r/1", "deny": "no"}}
        decisions |= {False: denied, None: denied, 7: denied}
        for decision, expected in decisions.items():
            for call_of in (self.blocking, self.asynchronous):
                asked = []
                options = {
                    "operator_tools": ["crm.*"],
                    "tools": {"own": lambda: 1},
                    "on_approval": lambda call, said=decision, to=asked: to.append(call) or said,
                }
                with ScriptedService(heard, waiting, answer(RESULT)) as service:
                    self.assertEqual(call_of(service.url, FAST, options).value, "1")
                    first, *others = service.requests
                    tools = json.loads(first["body"])["tools"]
                    self.assertEqual(tools, ["crm.*", {"name": "own"}])
                    self.assertEqual([(one.name, one.arguments) for one in asked], [("pay", {"sum": 5})])
                    bodies = [json.loads(request["body"]) for request in others]
                    self.assertIn({"answers": [expected]}, bodies)

    def test_without_a_decision_of_the_caller_somebody_else_decides(self):
        call = {"key": "r/1", "name": "pay", "arguments": {}, "approval": "always"}
        waiting = answer({**RESULT, "results": [], "waiting": {"run": "r", "calls": [call]}})
        for call_of in (self.blocking, self.asynchronous):
            with mock.patch.object(_run, "LOOK_S", 0.01):
                with ScriptedService(waiting, waiting, answer(RESULT)) as service:
                    result = call_of(service.url, FAST, {"operator_tools": ["*"]})
                    self.assertEqual(result.value, "1")
                    for request in service.requests[1:]:
                        self.assertEqual(json.loads(request["body"]), {"answers": []})

    def test_tools_of_the_operator_are_listed(self):
        find = {"name": "crm.find", "inputSchema": {}, "approval": "never", "idempotent": True}
        pay = {**find, "name": "pay", "description": "Pays", "approval": "always", "outputSchema": {}}
        with ScriptedService(answer({"tools": [find, pay]})) as service:
            tools = connect(service.url).tools()
        self.assertEqual([tool.name for tool in tools], ["crm.find", "pay"])
        self.assertEqual([tool.approval for tool in tools], ["never", "always"])
        self.assertEqual([tool.output_schema for tool in tools], [None, {}])
        for wrong in ({**find, "approval": "maybe"}, {**find, "inputSchema": 1}, {"name": "a"}):
            with ScriptedService(answer({"tools": [wrong]})) as service:
                with self.assertRaises(SandboxError):
                    connect(service.url).tools()

    def test_a_callback_that_raises_ends_the_call_with_its_own_error(self):
        class Mine(Exception):
            pass

        def fail(_argument):
            raise Mine

        for call in (self.blocking, self.asynchronous):
            for options in ({"on_stdout": fail}, {"on_result": fail, "idempotency_key": "k"}):
                with ScriptedService(stream(END)) as service, self.assertRaises(Mine):
                    call(service.url, FAST, options)

    def test_nobody_at_the_address(self):
        with ScriptedService() as service:
            url = service.url
        for call in (self.blocking, self.asynchronous):
            with self.assertRaises(SandboxError) as raised:
                call(url, False, {})
            self.assert_error(raised.exception, "UNREACHABLE", 502, f"Belljar at {url} does not")
            self.assertIn("(connection refused). Nothing was sent", str(raised.exception))
            self.assertEqual(raised.exception.context, {"address": url, "sent": False})
            self.assertTrue(raised.exception.retryable)

    def test_a_timeout_is_a_timeout_error_and_no_thread_is_left(self):
        before = threading.active_count()
        begun = stream({"type": "start"}, {"type": "stdout", "text": "a"})
        for call in (self.blocking, self.asynchronous):
            for prepared in (b"", answer(RESULT)[:-9], begun):
                for options in ({}, {"on_stdout": lambda line: None}):
                    with ScriptedService(Unfinished(prepared)) as service:
                        with self.assertRaisesRegex(TimeoutError, "took longer than 0.2 s"):
                            call(service.url, FAST, {**options, "timeout": 0.2})
        self.assert_threads(before)

    def test_wrong_calls_are_refused_before_anything_is_sent(self):
        client = connect("http://127.0.0.1:9", retry=False)
        box = client.sandbox("a")
        calls = [
            (lambda: connect("ftp://x"), "must begin with http://"),
            (lambda: connect("http://u:p@x"), "Pass the token as an argument"),
            (lambda: connect("http://x", "tok en"), "visible ASCII"),
            (lambda: client.sandbox("-"), "Invalid sandbox id"),
            (lambda: client.run_code("cobol", "1"), "Unknown language 'cobol'"),
            (lambda: client.run_code("python", 1), "code must be a string"),
            (lambda: client.run_code("python", "1", timeout=-1), "timeout must be"),
            (lambda: client.run_code("python", "1", tools={"a": 1}), "'a' must be a function"),
            (lambda: client.run_code("python", "1", operator_tools="a"), "must be a list of names"),
            (lambda: client.run_code("python", "1", operator_tools=[1]), "must be a list of names"),
            (lambda: client.run_code("python", "1", tools={"a": {"x": 1}}), "unknown field 'x'"),
            (lambda: client.run_code("python", "1", limits={"memory": 1}), "Unknown limit"),
            (lambda: client.run_code("python", "1", on_stdout=1), "on_stdout must be a function"),
            (lambda: box.run_code("python", "1", idempotency_key=""), "idempotency_key must be"),
            (lambda: box.files.upload("x", 1), "content must be"),
            (lambda: box.files.upload("x", ["text"]), "content must consist of bytes"),
            (lambda: box.files.write("x", 1), "content must be"),
            (lambda: box.runs.get(""), "There is no run"),
        ]
        for call, message in calls:
            with self.subTest(message), self.assertRaises(SandboxError) as raised:
                call()
            self.assertIn(message, str(raised.exception))
        with self.assertRaises(TypeError):
            client.run_code("python", "1", on_stduot=print)
        with self.assertRaises(TypeError):
            client.run_code("python", "1", idempotency_key="k")

    def assert_threads(self, most):
        """Threads end soon after their call."""
        for _ in range(200):
            if threading.active_count() <= most:
                return
            time.sleep(0.05)
        self.fail(f"{threading.enumerate()}")


class Notebooks(unittest.TestCase):
    def test_html_of_a_guest_is_shown_in_a_frame_without_scripts(self):
        evil = Display({"text/html": '<script>x</script>"><img onerror=x>', "text/plain": "evil"})
        for html in (evil._repr_html_(), evil._repr_mimebundle_()["text/html"]):
            self.assertTrue(html.startswith('<iframe sandbox="" srcdoc="'))
            self.assertNotIn("<script", html)
            self.assertNotIn('"><img', html)
            self.assertIn("default-src &#x27;none&#x27;", html)
        svg = Display({"image/svg+xml": "<svg onload=x>"})._repr_html_()
        self.assertTrue(svg.startswith("<iframe sandbox"))

    def test_images_are_images_and_anything_else_is_text(self):
        image = Display({"image/png": "iVBO\nRw0K", "text/plain": "figure"}, main=True)
        self.assertEqual(image._repr_png_(), b"\x89PNG\r\n")
        bundle = image._repr_mimebundle_()
        self.assertEqual(set(bundle), {"text/plain", "image/png"})
        broken = Display({"image/png": '"><script>', "application/javascript": "x"})
        self.assertIsNone(broken._repr_png_())
        self.assertEqual(set(broken._repr_mimebundle_()), {"text/plain", "text/html"})
        self.assertNotIn("<script", broken._repr_html_())
        text = Display({"text/plain": "<b>"})
        self.assertEqual(text._repr_html_(), "<pre>&lt;b&gt;</pre>")


if __name__ == "__main__":
    unittest.main()
