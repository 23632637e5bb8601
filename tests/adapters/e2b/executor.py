"""smolagents with its E2B executor and a model that says what it is told to."""

from smolagents import CodeAgent, LogLevel
from smolagents.models import ChatMessage, MessageRole, Model

STEPS = ["import math\nx = math.factorial(5)\nprint(x)", "final_answer(x + 1)"]


class Scripted(Model):
    steps = iter(STEPS)

    def generate(self, messages, **options):
        text = f"Thought: go\n<code>\n{next(self.steps)}\n</code>"
        return ChatMessage(role=MessageRole.ASSISTANT, content=text)


options = {"tools": [], "model": Scripted(), "executor_type": "e2b", "verbosity_level": LogLevel.OFF}
with CodeAgent(**options) as agent:
    for line in agent.python_executor.sandbox.run_code("!pip install numpy pandas").logs.stdout:
        print(line, end="")
    print("answer", agent.run("What is 5! + 1?"), flush=True)
