"""A retail environment for trainers, over OpenEnv's stock client: `pip install openenv`.

`RetailEnvironment` has the shape that TRL's `environment_factory` wants: `reset(**row)` gives the opening, every other
public method with a docstring is a tool, and the reward function reads `environment.reward`. Run as a program it plays
one conversation by hand and prints what a trainer would see.

    python examples/openenv_trainer.py http://127.0.0.1:8710
"""

import json
import sys

from openenv.core.generic_client import GenericEnvClient

BASE_URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8710"


class RetailEnvironment:
    """One conversation with a customer; one instance per generation."""

    def __init__(self):
        self._client = GenericEnvClient(base_url=BASE_URL, message_timeout_s=300).sync()
        self._client.connect()
        self.reward = None
        self.done = False
        self.policy = ""

    def reset(self, task_id=None, seed=0, **_row):
        result = self._client.reset(task_id=task_id, seed=seed, reward_mode="sparse")
        self.reward, self.done = None, False
        self.policy = result.metadata["policy"]
        return result.metadata["user_message"]

    def respond_to_user(self, message: str) -> str:
        """Say something to the customer and get the reply.

        Args:
            message: What to say.
        """
        return self._call("respond_to_user", message=message)

    def find_user_id_by_name_zip(self, first_name: str, last_name: str, zip: str) -> str:
        """Find a customer's id.

        Args:
            first_name: First name.
            last_name: Last name.
            zip: Zip code.
        """
        return self._call("find_user_id_by_name_zip", first_name=first_name, last_name=last_name, zip=zip)

    def finish(self) -> str:
        """End the conversation, once the customer's request is handled."""
        return self._call("done")

    def close(self):
        self._client.close()

    def _call(self, tool_name, **arguments):
        step = self._client.step({"type": "call_tool", "tool_name": tool_name, "arguments": arguments})
        if step.done:
            # None: the platform failed, so the rollout says nothing about the model. Drop it.
            self.reward, self.done = step.reward, True
            self.turn_rewards = step.metadata.get("turn_rewards", [])
        error = step.observation["error"]
        return error["message"] if error else step.observation["result"]["data"]


def reward_func(environments, **_):
    """What GRPOTrainer asks for: one number per rollout, or None for those to be left out."""
    return [environment.reward for environment in environments]


if __name__ == "__main__":
    environment = RetailEnvironment()
    print("customer:", environment.reset(seed=3))
    print("customer:", environment.respond_to_user("Good day! May I have your name and zip code?"))
    environment.finish()
    assert environment.done and reward_func([environment]) == [environment.reward]
    print("reward:", environment.reward)
    print("turns:", json.dumps(environment.turn_rewards))
    environment.close()
