"""The plain HTTP interface, with nothing but Python's standard library.

    BELLJAR_URL=http://127.0.0.1:8000 python3 plain_http.py
"""

import json
import os
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("BELLJAR_URL", "http://127.0.0.1:8000")
TOKEN = os.environ.get("BELLJAR_TOKEN")


def send(method, path, body=None, headers=None):
    """Sends a request and returns the bytes of its answer. A refusal raises an error with its reason."""
    headers = dict(headers or {})
    if TOKEN:
        headers["authorization"] = f"Bearer {TOKEN}"
    request = urllib.request.Request(URL + path, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=150) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        refusal = json.load(error)
        raise RuntimeError(f"{refusal['code']}: {refusal['message']}") from None


def run(path, code, **fields):
    """Runs a program. The answer is 200 even if the program fails: look at its `error`."""
    body = json.dumps({"code": code, **fields}).encode()
    return json.loads(send("POST", path, body, {"content-type": "application/json"}))


# A stateless run in each language.
for language, code in {"javascript": "6 * 7", "python": "6 * 7", "perl": "6 * 7"}.items():
    print(language, run(f"/execute/{language}", code)["results"][0]["text"])

# A sandbox: its first use creates it. Contexts of all languages share its files.
box = f"/languages/python/sandboxes/{uuid.uuid4()}"
send("PUT", f"{box}/files/data.txt", b"one two three", {"content-type": "text/plain"})
run(f"{box}/execute", "words = open('data.txt').read().split()")
print(run(f"{box}/execute", "len(words)")["results"][0]["text"], "words")

# A key makes a run safe to repeat after a broken connection: it happens once.
key = {"content-type": "application/json", "idempotency-key": str(uuid.uuid4())}
body = json.dumps({"code": "words.append('four'); len(words)"}).encode()
for _ in range(2):
    print(json.loads(send("POST", f"{box}/execute", body, key))["results"][0]["text"], "words")

try:
    send("GET", f"{box}/files/missing.txt")
except RuntimeError as error:
    print(error)
send("DELETE", box)
