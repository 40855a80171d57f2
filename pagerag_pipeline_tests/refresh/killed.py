"""One refresh in a process of its own, to be killed; a test module runs it with the home as argument."""

import sys
from pathlib import Path

from pagerag_pipeline.refresh.products import refresh
from pagerag_pipeline.refresh.session import Session

if __name__ == "__main__":
    with Session.open(Path(sys.argv[1])) as session:
        print("begun", flush=True)  # noqa: T201
        refresh(session)
