"""An agent loop for verl that talks with Parlor's customers: text or SOUND in every user turn, tools, a reward for every turn.

Named "parlor": rows of `parlor export --format verl` and of `prompt_rows` ask for it. verl finds it by
`actor_rollout_ref.rollout.agent.agent_loop_config_path` (see `agent_loops.yaml` beside this file).
"""

from __future__ import annotations

import json
from typing import Any, Literal, Sequence
from uuid import uuid4

from parlor_client import Audio, ParlorError
from parlor_rollouts import Action, Environment, HangUp, Sandbox, Say, UseTool, Verdict
from parlor_rollouts.environment import ToolSchema
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics
from verl.experimental.agent_loop.tool_parser import ToolParser
from verl.tools.schemas import OpenAIFunctionToolSchema
from verl.utils.profiler import simple_timer

from .output import Placement, TurnOutput
from .sound import waveform
from .transcript import Turn, lay_rewards

Message = dict[str, Any]
#: What a turn's reward is: by its tier (what it did), or by the judge's verdict (what it adds to the TARL score).
TurnRewards = Literal["tier", "verdict"]


class RolloutDroppedError(RuntimeError):
    """The platform failed as often as it may. Raised instead of a reward of 0: verl leaves the rollout's group out."""


def customer_message(text: str, audio: Audio | None) -> Message:
    """A user message: sound as a content part that verl's token builders render into placeholders."""
    if audio is None:
        return {"role": "user", "content": text}
    return {"role": "user", "content": [{"type": "audio", "audio": waveform(audio)}]}


# Not registered by decorator: verl imports this module while it makes the first loop, and a registration from here would take the
# place of the entry in the file, options and all.
class ParlorAgentLoop(AgentLoopBase):  # type: ignore[misc]
    """One rollout for each `run`. Options come from the entry in `agent_loops.yaml`.

    `sandbox_url`, `token`: where the sandbox is. `placement`: see `output.py`. `reward`: the episode's number for placement
    "episode", "outcome" (the verifier's) or "score" (TARL's S). `turn_rewards`: what lies on turns. `attempts`: tries when the
    platform fails. `max_turn_tokens`: of one message of the model (1,024 in TARL).
    """

    def __init__(
        self,
        *args: Any,
        sandbox_url: str = "http://127.0.0.1:8710",
        token: str | None = None,
        timeout_s: float = 600.0,
        placement: Placement = "episode",
        reward: Literal["outcome", "score"] = "outcome",
        turn_rewards: TurnRewards = "tier",
        attempts: int = 3,
        max_turn_tokens: int = 1_024,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.sandbox = Sandbox(sandbox_url, token, timeout_s=timeout_s)
        self.placement, self.reward, self.turn_rewards, self.attempts = placement, reward, turn_rewards, attempts
        self.max_turn_tokens = max_turn_tokens
        self.response_length: int = self.rollout_config.response_length
        self.parser = ToolParser.get_tool_parser(self.rollout_config.multi_turn.format, self.tokenizer)

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> TurnOutput:
        """`kwargs` is the row: `extra_info` with `task`, `seed` and `mode`. The prompt is the sandbox's own opening."""
        info = kwargs.get("extra_info") or {}
        task, seed = str(info["task"]), int(info.get("seed") or 0)
        mode: Literal["text", "speech"] = "speech" if info.get("mode") == "speech" else "text"
        trial = int(kwargs.get("session_id") or 0)
        last: Exception | None = None
        for _ in range(self.attempts):
            try:
                async with Environment(self.sandbox) as environment:
                    output = await _Conversation(self, environment, sampling_params).play(task, seed, mode, trial)
                if output is not None:
                    return output
            except ParlorError as error:
                last = error
        raise RolloutDroppedError(f"task {task}, seed {seed}: no rollout in {self.attempts} attempts") from last


class _Conversation:
    """One attempt: the tokens so far, and what they were worth in the end."""

    def __init__(self, loop: ParlorAgentLoop, environment: Environment, sampling: dict[str, Any]) -> None:
        self._loop = loop
        self._environment = environment
        stops = [*(sampling.get("stop_token_ids") or []), *loop.parser.stop_token_ids]
        self._sampling = {**sampling, "stop_token_ids": sorted(set(stops))} if stops else dict(sampling)
        self._request = uuid4().hex
        self._messages: list[Message] = []
        self._audios: list[Any] = []
        self._ids: list[int] = []
        self._mask: list[int] = []
        self._logprobs: list[float] | None = None
        self._turns: list[Turn] = []
        self._schemas: list[dict[str, Any]] = []
        self._parsed_schemas: list[Any] = []
        self._extra: dict[str, Any] = {}
        self._timing: dict[str, Any] = {}

    async def play(self, task: str, seed: int, mode: Literal["text", "speech"], trial: int) -> TurnOutput | None:
        """None when the platform failed."""
        loop = self._loop
        opening = await self._environment.reset(task, seed=seed, mode=mode, agent="verl", trial=trial)
        self._take_tools(await self._environment.tools())
        self._messages = [{"role": "system", "content": opening.policy}]
        self._hear(customer_message(opening.text, opening.audio))
        loop._assert_mm_supported(bool(self._audios))
        self._ids = list(
            await loop.ct_build_initial_tokens(self._messages, tools=self._schemas, audios=self._audios or None)
        )
        prompt_length = len(self._ids)
        most = int(loop.rollout_config.prompt_length)
        if prompt_length >= most:
            # verl cuts a text prompt at its start, which is the shop's policy, and says so in a log only.
            raise ValueError(f"the prompt fills rollout.prompt_length ({most}); raise it")
        end = self._environment.end
        while end is None:
            room = loop.response_length - len(self._mask)
            calls, content = await self._speak(room) if room > 0 else ([], "")
            if len(self._mask) >= loop.response_length or not (calls or content):
                # Out of room, or nothing said: the model has no more to say in this conversation.
                end = (await self._environment.act(HangUp())).end
            else:
                end = await self._act(calls, content)
        if not end.counts:
            return None
        return self._output(end, prompt_length)

    def _take_tools(self, tools: Sequence[ToolSchema]) -> None:
        # What the model writes outside a call is said to the customer, so it needs no tool for that.
        self._schemas = [tool.openai() for tool in tools if tool.name != "respond_to_user"]
        self._parsed_schemas = [OpenAIFunctionToolSchema.model_validate(_plain(schema)) for schema in self._schemas]

    def _hear(self, message: Message) -> None:
        self._messages.append(message)
        if isinstance(message["content"], list):
            self._audios += [part["audio"] for part in message["content"] if part["type"] == "audio"]

    async def _speak(self, room: int) -> tuple[list[UseTool | HangUp], str]:
        """The model's next message, of at most `room` tokens: its ids are appended as they came."""
        loop = self._loop
        sampling = {**self._sampling, "max_tokens": min(room, loop.max_turn_tokens)}
        with simple_timer("generate_sequences", self._timing):
            output = await loop.server_manager.generate(
                request_id=self._request,
                prompt_ids=self._ids,
                sampling_params=sampling,
                audio_data=list(self._audios) or None,
                mm_processor_kwargs=loop._get_mm_processor_kwargs(self._audios or None),
            )
        self._note(output.extra_fields)
        start = len(self._mask)
        if self._logprobs is None and output.log_probs is not None:
            self._logprobs = [0.0] * start
        merged, self._mask, self._logprobs = await loop.ct_merge_assistant_token(
            self._ids, list(output.token_ids), self._mask, self._logprobs, output.log_probs
        )
        self._ids = list(merged.token_ids)
        self._turns.append(Turn(start, len(self._mask)))
        _, found = await loop.parser.extract_tool_calls(list(output.token_ids), self._parsed_schemas)
        calls: list[UseTool | HangUp] = [
            HangUp() if call.name == "done" else UseTool(call.name, call.arguments) for call in found
        ]
        # Decoded without the special tokens, so that no customer hears an <|im_end|>.
        text = loop.tokenizer.decode(list(output.token_ids), skip_special_tokens=True)
        return calls[: loop.rollout_config.multi_turn.max_parallel_calls], "" if calls else text.strip()

    async def _act(self, calls: Sequence[UseTool | HangUp], content: str) -> Verdict | None:
        before = list(self._messages)
        if calls:
            written = [_call_message(call) for call in calls if isinstance(call, UseTool)]
            self._messages.append({"role": "assistant", "content": "", **({"tool_calls": written} if written else {})})
        else:
            self._messages.append({"role": "assistant", "content": content})
        before.append(self._messages[-1])
        actions: Sequence[Action] = calls or [Say(content)]
        for action in actions:
            with simple_timer("tool_calls", self._timing):
                feedback = await self._environment.act(action)
            if feedback.turn is not None:
                self._turns[-1].record.append(feedback.turn)
            if isinstance(action, Say):
                self._hear(customer_message(feedback.text, feedback.audio))
            elif isinstance(action, UseTool):
                self._messages.append({"role": "tool", "content": feedback.text})
            if feedback.end is not None:
                return feedback.end
        await self._merge(before)
        return None

    async def _merge(self, before: list[Message]) -> None:
        """Tokens of what was heard or returned, with mask 0."""
        merged, self._mask, self._logprobs = await self._loop.ct_merge_context_msg(
            before, self._messages, self._ids, self._mask, self._logprobs, tools=self._schemas
        )
        self._ids = list(merged.token_ids)

    def _note(self, extra: dict[str, Any]) -> None:
        """Versions of the weights that sampled: the first and the last."""
        self._extra = {**extra, **self._extra}
        if extra.get("max_global_steps") is not None:
            self._extra["max_global_steps"] = extra["max_global_steps"]

    def _output(self, end: Verdict, prompt_length: int) -> TurnOutput:
        loop = self._loop
        ids, mask, logprobs = self._ids[prompt_length:], list(self._mask), self._logprobs
        limit = loop.response_length
        placement = loop.placement
        if placement == "turns":
            # A closing token that is not the agent's, for the outcome to lie on; nothing comes after it, so it changes nothing.
            limit -= 1
        cut = len(ids) > limit
        ids, mask, logprobs = ids[:limit], mask[:limit], None if logprobs is None else logprobs[:limit]
        if placement == "turns":
            ids, mask = [*ids, int(loop.tokenizer.eos_token_id)], [*mask, 0]
            logprobs = None if logprobs is None else [*logprobs, 0.0]
        assert end.reward is not None
        score = end.score if loop.reward == "score" and end.score is not None else end.reward
        rewards = {
            turn.turn: turn.reward if loop.turn_rewards == "tier" else (turn.verdict_reward or 0.0) for turn in end.turns
        }
        token_rewards: list[float] | None = None
        if placement != "episode":
            last_own = max((place for place, own in enumerate(mask) if own), default=len(mask) - 1)
            at = len(mask) - 1 if placement == "turns" else last_own
            token_rewards = lay_rewards(len(ids), self._turns, rewards, end.reward, outcome_at=at)
        facts = {
            "turn_scores": [sum(rewards.get(number, 0.0) for number in turn.record) for turn in self._turns],
            "tool_rewards": [],
            "parlor": {"record": end.record, "reason": end.reason, "score": end.score, "cut": cut},
        }
        return TurnOutput(
            prompt_ids=self._ids[:prompt_length],
            response_ids=ids,
            response_mask=mask,
            response_logprobs=logprobs,
            multi_modal_data={"audios": list(self._audios)} if self._audios else {},
            mm_processor_kwargs=loop._get_mm_processor_kwargs(self._audios or None),
            reward_score=float(score),
            num_turns=len(self._messages),
            metrics=AgentLoopMetrics(**{key: value for key, value in self._timing.items() if value is not None}),
            extra_fields={**self._extra, **facts},
            token_rewards=token_rewards,
        )


def _call_message(call: UseTool) -> dict[str, Any]:
    arguments: Any = call.arguments
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            pass
    return {"type": "function", "function": {"name": call.name, "arguments": arguments}}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """verl's own schema class knows types, enumerations and descriptions; its parsers need no more."""
    function = schema["function"]
    properties = {
        name: {"type": str(each.get("type", "string")), "description": str(each.get("description", ""))}
        for name, each in function["parameters"].get("properties", {}).items()
    }
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(function["parameters"].get("required", [])),
    }
    return {"type": "function", "function": {**function, "parameters": parameters}}
