"""trec_eval as a binary: the one that TREC_EVAL names, or one linked here from the functions in pytrec_eval's wheel.

The wheel holds all of trec_eval but its `main`; `trec_eval.c` is one. Nothing of Python runs in the result: the names
of the interpreter that the wheel's module mentions are given an empty place, so that the linker is satisfied.
"""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")


def binary(cache: Path) -> Path | None:
    """Where trec_eval is; None where it can't be built here."""
    if named := os.environ.get("TREC_EVAL"):
        return Path(named)
    module = find_spec("pytrec_eval_ext")
    if module is None or module.origin is None or shutil.which("cc") is None or shutil.which("nm") is None:
        return None
    made = cache / "trec_eval"
    if not made.exists() or made.stat().st_mtime < max(SOURCE.stat().st_mtime, Path(module.origin).stat().st_mtime):
        _link(Path(module.origin), made)
    return made


def _link(module: Path, made: Path) -> None:
    listed = subprocess.run(["nm", "-D", "--undefined-only", module], capture_output=True, text=True, check=True)
    names = [line.split()[-1].partition("@")[0] for line in listed.stdout.splitlines()]
    places = made.with_name("interpreter.c")
    places.write_text("".join(f"char {name}[4096];\n" for name in names if name.startswith(("Py", "_Py"))))
    command: list[str | Path] = [
        "cc",
        "-O3",
        "-rdynamic",
        SOURCE,
        places,
        module,
        f"-Wl,-rpath,{module.parent}",
        "-o",
        made,
    ]
    subprocess.run(command, check=True)
