"""Talks to a kernel by jupyter-kernel-client and prints the conversation as one line of JSON.

Arguments: the address of the gateway, a token, and the id of a kernel that is there, if any.
"""

import json
import os
import sys
import threading
import time

from jupyter_kernel_client import JupyterKernelClient

url, token, kernel_id = sys.argv[1:4]
said = {}


def short(message):
    """The part of a message that the test looks at."""
    kind, content = message["msg_type"], message["content"]
    if kind == "stream":
        return [kind, content["text"]]
    if kind in ("display_data", "execute_result"):
        return [kind, content["data"]]
    return [kind, content.get("ename", "")]


def run(kernel, code, answers=None, after=None):
    """Runs a cell; gives the status of its reply and its messages."""
    heard = []

    def hear(message):
        if message["msg_type"] not in ("status", "execute_input"):
            heard.append(short(message))
        if after is not None and message["msg_type"] == "stream":
            threading.Thread(target=after).start()

    def answer(message):
        heard.append(["asked", message["content"]["prompt"]])
        kernel._manager.client.input(answers.pop(0))

    reply = kernel.execute_interactive(
        code, allow_stdin=answers is not None, stdin_hook=answer, output_hook=hear, timeout=120
    )
    content = reply["content"]
    return [content["status"], content.get("ename", ""), heard]


kernel = JupyterKernelClient(server_url=url, token=token, **({"kernel_id": kernel_id} if kernel_id else {}))
kernel.start()
if kernel_id:
    said["kept"] = run(kernel, "x, open('f').read()")
else:
    said["language"] = kernel.kernel_info["language_info"]["name"]
    said["code"] = run(kernel, "x = 40\nprint('hello')\nx + 2")
    said["plot"] = run(kernel, "from IPython.display import SVG\nSVG('<svg><circle r=\"1\"/></svg>')")
    said["file"] = run(kernel, "open('f', 'w').write('kept')")
    said["error"] = run(kernel, "1 / 0")
    said["input"] = run(kernel, "name = input('Name? ')\nprint(name)", ["Ada"])
    said["interrupt"] = run(
        kernel, "print('go', flush=True)\nwhile True: pass", after=lambda: (time.sleep(0.5), kernel.interrupt())
    )
    said["after"] = run(kernel, "x")
    said["kernels"] = [each["id"] for each in kernel.list_kernels()]
said["id"] = kernel.id
print(json.dumps(said), flush=True)
# The client deletes its kernel when it is collected: this one goes as a client that is killed.
os._exit(0)
