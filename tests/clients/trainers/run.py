"""Runs a program of examples/training. verl imports servers that a rollout never starts; those are replaced by stand-ins."""

import pathlib
import runpy
import sys

program = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(program.parent), str(root / "clients/python/src"), str(root / "tests/dataset/python")]

from stand_ins import stand_in_for  # noqa: E402

stand_in_for(
    "uvicorn fastapi starlette aiohttp prometheus_client opentelemetry wandb tensorboard peft pylatexenc transfer_queue"
)
sys.argv[:] = [str(program), *sys.argv[2:]]
runpy.run_path(str(program), run_name="__main__")
