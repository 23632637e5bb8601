"""E2B's own Python SDK, unmodified, against Belljar.

    pip install e2b-code-interpreter
    export E2B_API_KEY=e2b_00ff  # a token of the service; any such text where it has no tokens
    export E2B_API_URL=http://127.0.0.1:8000/e2b E2B_SANDBOX_URL=http://127.0.0.1:8000/e2b
    python3 e2b_sdk.py
"""

from e2b_code_interpreter import Sandbox

with Sandbox.create(timeout=300) as sandbox:
    sandbox.files.write("/home/user/numbers.txt", "3 1 2")
    sandbox.run_code("numbers = [int(word) for word in open('numbers.txt').read().split()]")
    execution = sandbox.run_code(
        "print('sorting')\nsorted(numbers)", on_stdout=lambda line: print("guest:", line.line.strip())
    )
    print(execution.text)
    print(sandbox.run_code("numbers[3]").error.name)
