"""A server that says what it is told to: `python plain_server.py SCRIPT LOG`.

SCRIPT is JSON: for each method (`answer` for an answer) the lines to write when it comes, `$ID`
standing for its id, or `dies` or `goes quiet` instead of them. LOG gets every line that arrives.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

script = json.loads(Path(sys.argv[1]).read_text())
for line in sys.stdin:
    with open(sys.argv[2], "a") as log:
        log.write(line)
    message = json.loads(line)
    wanted = script.get(message.get("method", "answer"), [])
    if wanted == ["dies"]:
        sys.exit(4)
    if wanted == ["goes quiet"]:
        os.close(1)
        time.sleep(60)
    for answer in wanted:
        sys.stdout.write(answer.replace("$ID", json.dumps(message.get("id"))) + "\n")
        sys.stdout.flush()
