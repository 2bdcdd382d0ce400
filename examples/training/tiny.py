"""A policy of some ten thousand parameters with a made tokenizer, so that trainers run on any machine without weights.

It says and does things at random, in well-formed turns (a random model would never hit upon a tool call), and is trained for real:
log-probabilities, loss and gradients are its own.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Sequence

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import BatchFeature, PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM, WhisperFeatureExtractor

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<think>", "</think>"]
AUDIO = "<|AUDIO|>"

MESSAGES = ["Hello! May I have your name and zip code?", "Let me look into it.", "Is there anything else?", "ça va ☕"]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("calculate", {"expression": "2 + 2"}),
    ("get_order_details", {"order_id": "#W0000000"}),
    ("find_user_id_by_name_zip", {"first_name": "Nobody", "last_name": "Known", "zip": "00000"}),
]


def tiny_tokenizer(chat_template: str, texts: Sequence[str]) -> PreTrainedTokenizerFast:
    """Byte-level BPE learnt from `texts`, with Qwen's special tokens."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1_500, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", padding_side="left"
    )
    tokenizer.add_special_tokens({"additional_special_tokens": [*SPECIAL[1:3], AUDIO, "<|audio_bos|>", "<|audio_eos|>"]})
    # As in Qwen's own tokenizer these are single tokens, and text all the same.
    tokenizer.add_tokens(SPECIAL[3:])
    tokenizer.chat_template = chat_template
    return tokenizer


def turn_text(draw: random.Random, speak_by_tool: bool) -> str:
    """One turn of the agent as its model would write it."""
    if draw.random() < 0.5 and not speak_by_tool:
        return draw.choice(MESSAGES)
    options = [*CALLS, ("done", {})]
    if speak_by_tool:
        options += [("respond_to_user", {"message": message}) for message in MESSAGES]
    name, arguments = draw.choice(options)
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}\n</tool_call>"


class TinyPolicy(Qwen3ForCausalLM):
    """Qwen 3's own architecture in miniature. `generate` writes turns drawn from a seed instead of sampling its noise."""

    tokenizer: PreTrainedTokenizerFast
    draw: random.Random

    def generate(self, input_ids: torch.Tensor, **_: Any) -> torch.Tensor:  # type: ignore[override]
        rows = [self.tokenizer.encode(turn_text(self.draw, True) + "<|im_end|>") for _ in input_ids]
        longest = max(map(len, rows))
        padded = [row + [self.tokenizer.pad_token_id] * (longest - len(row)) for row in rows]
        return torch.cat([input_ids, torch.tensor(padded, device=input_ids.device)], dim=1)


def tiny_policy(tokenizer: PreTrainedTokenizerFast, seed: int) -> TinyPolicy:
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=65_536,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    policy = TinyPolicy(config)
    policy.tokenizer, policy.draw = tokenizer, random.Random(seed)
    return policy


def qwen_template() -> str:
    """ChatML with tools as Qwen 2.5 writes them, and sound as its Omni models do."""
    return (Path(__file__).parent / "chatml_audio.jinja").read_text()


class TinyProcessor:
    """Qwen2.5-Omni's treatment of sound: real log-mel features, one placeholder for every 40 ms."""

    image_processor = object()  # verl takes a processor for multimodal by this name.

    def __init__(self, tokenizer: PreTrainedTokenizerFast) -> None:
        self.tokenizer = tokenizer
        self.chat_template = tokenizer.chat_template
        self.feature_extractor = WhisperFeatureExtractor(feature_size=128, sampling_rate=16_000, hop_length=160)
        self.audio_id = int(tokenizer.convert_tokens_to_ids(AUDIO))

    @staticmethod
    def audio_tokens(samples: int) -> int:
        frames = samples // 160
        return ((frames - 1) // 2 + 1 - 2) // 2 + 1

    def apply_chat_template(self, messages: Any, **options: Any) -> Any:
        return self.tokenizer.apply_chat_template(messages, **options)

    def __call__(self, text: list[str], audio: Any = None, sampling_rate: int = 16_000, **_: Any) -> BatchFeature:
        """Text whose audio marks were left out (verl's, for training inputs) gets the features alone."""
        features: dict[str, Any] = {}
        [written] = text
        if audio is not None:
            features = dict(
                self.feature_extractor(
                    audio, sampling_rate=sampling_rate, padding=True, return_attention_mask=True, return_tensors="pt"
                )
            )
            features["feature_attention_mask"] = features.pop("attention_mask")
            counts = iter(self.audio_tokens(len(clip)) for clip in audio)
            parts = written.split(AUDIO)
            written = parts[0] + "".join(AUDIO * next(counts) + part for part in parts[1:])
        ids = self.tokenizer.encode(written)
        mask = torch.ones(1, len(ids), dtype=torch.long)
        return BatchFeature({"input_ids": torch.tensor([ids]), "attention_mask": mask, **features})
