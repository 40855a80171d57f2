"""The main job from start to end: build the bundled corpus, ask four questions, edit one document, and build only what that changed."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEMO = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".demo"
NOVELLA = DEMO / "corpus" / "novella" / "the_tide_clerk_of_pellgarrow.txt"
WRITTEN, CORRECTED = "for eleven shillings", "for nine shillings"


def main() -> None:
    """Tell the story, each command printed before its output."""
    shutil.rmtree(DEMO, ignore_errors=True)
    shutil.copytree(ROOT / "data" / "corpus", DEMO / "corpus")
    with (ROOT / "data" / "questions.jsonl").open(encoding="utf-8") as lines:
        fact, relation, theme, unanswerable = (json.loads(line)["question"] for line in islice(lines, 4))

    say("Documents in, a published repository out.")
    pagerag("refresh", "--corpus", "corpus")
    for kind, question in (("A fact", fact), ("A relation", relation), ("A theme", theme), ("Not in the corpus", unanswerable)):
        say(f"{kind}.")
        pagerag("ask", question)

    say(f"One document is edited: '{WRITTEN}' becomes '{CORRECTED}'. Computed is what the edit touched; the rest is reused.")
    NOVELLA.write_text(NOVELLA.read_text(encoding="utf-8").replace(WRITTEN, CORRECTED), encoding="utf-8")
    pagerag("refresh")
    say("The fact again, from the new generation.")
    pagerag("ask", fact)

    home = shlex.quote(os.path.relpath(DEMO / "home"))
    say(f"All of it stands in {home}. Ask more of it, and look at it in the Dagster UI:")
    print(f'$ pagerag --home {home} ask "Who ...?"\n$ pagerag --home {home} ui', flush=True)


def say(words: str) -> None:
    """Print a heading."""
    print(f"\n== {words}", flush=True)


def pagerag(*arguments: str) -> None:
    """Run one command in the demo's folder, with a home of its own; a failure ends the demo."""
    print("$ pagerag", *(f'"{one}"' if " " in one else one for one in arguments), flush=True)
    command = [sys.executable, "-m", "pagerag_pipeline.cli", *arguments]
    subprocess.run(command, cwd=DEMO, env={**os.environ, "PAGERAG_HOME": str(DEMO / "home")}, check=True)


if __name__ == "__main__":
    main()
