"""Makes `workbench/threats/lookalikes.py` from `confusables.txt` of Unicode's security data (UTS 39).

`python -m tests.tools.lookalikes confusables.txt` prints the module. Only letters that look like one letter of the
English alphabet are taken, and only those that NFKC, which the client applies anyway, leaves as they are.
"""

from __future__ import annotations

import string
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

_HEADER = '''\
"""Letters of other alphabets that look like one of the English alphabet, by the letter they look like.

Made by `python -m tests.tools.lookalikes` from confusables.txt of the Unicode security data, which is
copyright Unicode, Inc. and used under the Unicode licence (https://www.unicode.org/license.txt); not edited by hand.
"""

from __future__ import annotations

LOOKALIKES: dict[str, str] = {
'''


def pairs(lines: Iterable[str]) -> dict[str, str]:
    """Non-ASCII letter to the ASCII letter it looks like, of all lines `source ; target ; type # comment`."""
    found: dict[str, str] = {}
    for line in lines:
        parts = [part.strip() for part in line.partition("#")[0].split(";")]
        if len(parts) < 3 or " " in parts[0] or " " in parts[1]:
            continue
        source, target = (chr(int(part, 16)) for part in parts[:2])
        if source.isascii() or target not in string.ascii_letters:
            continue
        if unicodedata.category(source)[0] == "L" and unicodedata.normalize("NFKC", source) == source:
            found[source] = target.lower()
    # The standard takes a capital I for an l; how the small letter looks says which one is meant. And it knows no small
    # letter for some capitals, but the rules that read the result do not tell the two apart.
    small = {low: letter for char, letter in found.items() if len(low := char.lower()) == 1 and not low.isascii()}
    return {**small, **{char: found.get(char.lower(), letter) for char, letter in found.items()}}


def module(found: dict[str, str]) -> str:
    """The source of the module, one line a letter."""
    lines = []
    for letter in string.ascii_lowercase:
        chars = sorted(char for char, target in found.items() if target == letter)
        if not chars:
            continue
        spelled = [f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}" for char in chars]
        rows = [spelled[at : at + 14] for at in range(0, len(spelled), 14)]
        if len(rows) == 1 and len("".join(rows[0])) < 90:
            lines.append(f'    "{letter}": "{"".join(rows[0])}",')
        else:
            lines += [f'    "{letter}": (', *(f'        "{"".join(row)}"' for row in rows), "    ),"]
    return _HEADER + "\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(module(pairs(Path(sys.argv[1]).read_text("utf-8-sig").splitlines())))
