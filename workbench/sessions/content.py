"""What the columns of a message hold, decoded: text and attachments, tool calls as one line, sizes.

Nothing here raises for what is stored: broken JSON is shown as the text it is, and said to be broken.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from workbench.text import find_secrets

# The client stores a list of parts as this and a JSON list; a NUL cannot begin ordinary text.
STRUCTURED = "\x00json:"
# The argument that says most about a call, by how often tools of the client name it.
_TELLING = (
    "path", "file_path", "command", "query", "url", "pattern", "code", "name", "task", "goal", "prompt", "text",
    "message",
)  # fmt: skip
_LINE = 120
# No form of a credential but a private key, which is known by its first line, is longer.
_LONGEST = 8_000
_BROKEN = (ValueError, RecursionError)


@dataclass(frozen=True)
class Content:
    """The readable text of a message, and what was attached, e.g. ("image",). `broken`: its JSON does not parse."""

    text: str
    attachments: tuple[str, ...] = ()
    broken: bool = False


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool: its name, its arguments (JSON text as stored) and the most telling argument on one line.

    `result_id` is the message with its result, `result_bytes` that one's size; None when there is none.
    """

    id: str
    name: str
    arguments: str
    gist: str
    result_id: int | None = None
    result_bytes: int | None = None

    @property
    def summary(self) -> str:
        """One line: name, the most telling argument, size of the result."""
        size = "" if self.result_bytes is None else f" · {size_text(self.result_bytes)}"
        return f"{self.name} {self.gist}".rstrip() + size

    @property
    def told(self) -> str:
        """All arguments for reading, each with its name; as stored when they are no JSON object."""
        try:
            parsed = json.loads(self.arguments)
        except _BROKEN:
            parsed = None
        if not isinstance(parsed, dict):
            return self.arguments
        texts = {name: each if isinstance(each, str) else _json(each) for name, each in parsed.items()}
        return " · ".join(f"{name}: {text}" for name, text in texts.items())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def size_text(size: int) -> str:
    """Bytes for reading: `312 B`, `9.6 kB`, `2.3 MB` (powers of 1,000)."""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95 or unit == "GB":
            return f"{value:.1f} {unit}"
    raise AssertionError


def decode(data: object, *, cut: bool = False) -> str:
    """Stored bytes (or whatever a column held) as text; never raises. `cut`: the end may be half a character."""
    if data is None:
        return ""
    if isinstance(data, bytes):
        return codecs.getincrementaldecoder("utf-8")("replace").decode(data, final=not cut)
    return str(data)


def content(text: str, *, cut: bool = False) -> Content:
    """What a message says. Of a list of parts cut short, the parts that are whole."""
    if not text.startswith(STRUCTURED):
        return Content(text)
    body = text[len(STRUCTURED) :]
    try:
        parsed = json.loads(body)
        broken = False
    except _BROKEN:
        parsed, broken = _whole_parts(body), True
        if not parsed:
            return Content(body, broken=not cut)
    pieces: list[str] = []
    attached: list[str] = []
    for part in parsed if isinstance(parsed, list) else [parsed]:
        said, kind = _part(part)
        if said:
            pieces.append(said)
        if kind:
            attached.append(kind)
    return Content("\n".join(pieces), tuple(attached), broken and not cut)


def _whole_parts(body: str) -> list[Any]:
    """The leading elements of a JSON list that was cut off somewhere."""
    decoder = json.JSONDecoder()
    found: list[Any] = []
    at = body.find("[") + 1
    while at > 0:
        while at < len(body) and body[at] in " \t\r\n,":
            at += 1
        try:
            part, at = decoder.raw_decode(body, at)
        except _BROKEN:
            break
        found.append(part)
    return found


def _part(part: object) -> tuple[str, str]:
    """(text, kind of attachment) of one part; one of them is empty."""
    if isinstance(part, str):
        return part, ""
    if not isinstance(part, dict):
        return json.dumps(part, ensure_ascii=False), ""
    text = part.get("text")
    if isinstance(text, str):
        return text, ""
    kind = str(part.get("type") or "")
    for known in ("image", "audio", "video", "file"):
        if known in kind:
            return "", known
    return (f"[{kind}]", "") if kind else (json.dumps(part, ensure_ascii=False)[:1000], "")


def tool_calls(text: str) -> tuple[tuple[ToolCall, ...], bool]:
    """The calls that an assistant's row asks for, and whether the column could be read."""
    if not text:
        return (), True
    try:
        parsed = json.loads(text)
    except _BROKEN:
        return (), False
    if isinstance(parsed, dict):
        parsed = [parsed]
    if not isinstance(parsed, list):
        return (), parsed is None
    return tuple(_call(each) for each in parsed), True


def _call(raw: object) -> ToolCall:
    call: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
    function = call.get("function")
    source: Mapping[str, Any] = function if isinstance(function, dict) else call
    arguments = source.get("arguments", source.get("input"))
    if arguments is None:
        arguments = ""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    name = source.get("name")
    return ToolCall(
        id=str(call.get("id") or call.get("call_id") or ""),
        name=name if isinstance(name, str) and name else "?",
        arguments=text,
        gist=_gist(text),
    )


def _gist(arguments: str) -> str:
    try:
        parsed = json.loads(arguments) if arguments else {}
    except _BROKEN:
        return one_line(arguments)
    if not isinstance(parsed, dict):
        return one_line(arguments)
    telling = next((parsed[name] for name in _TELLING if isinstance(parsed.get(name), str) and parsed[name]), None)
    if telling is not None:
        return one_line(telling)
    plain = [str(value) for value in parsed.values() if isinstance(value, str | int | float) and value != ""]
    return one_line(" ".join(plain))


def one_line(text: str, width: int = _LINE, *, cut: bool = False) -> str:
    """The beginning of a text on one line, white space collapsed; `width` in characters. `cut`: the text goes on.

    Cut in front of a credential, never within one: half of it would be recognised by nobody, and shown. That holds
    for what may be one too: a word of which neither this text nor the piece looked at holds the end.
    """
    head = text[: width * 4]
    flat = " ".join(head.split())
    if len(head) < len(text) and _open_word(head) and len(flat) - _open_word(head) < width:
        head = text[: width * 4 + _LONGEST]
        flat = " ".join(head.split())
    goes_on = cut or len(head) < len(text)
    if len(flat) <= width and not goes_on:
        return flat
    end = min(width - 1, len(flat))
    for secret in find_secrets(flat):
        if secret.start < end < secret.end:
            end = secret.start
    if goes_on:
        end = min(end, len(flat) - _open_word(head))
    return flat[:end] + "…"


def _open_word(text: str) -> int:
    """How many characters at the very end could be the beginning of a credential; CJK writing is none."""
    found = _word().match(text[::-1])
    return len(found[0]) if found else 0


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]+")
