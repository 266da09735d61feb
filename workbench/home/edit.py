"""Change one value of a hand-written YAML text and leave every other character as it is.

PyYAML's node marks say where the value stands; only that span is replaced, or one line is inserted. The result is
parsed again and must hold the old data with exactly that key changed, otherwise the edit is refused: a wrong guess
about the layout can therefore never reach the file.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from workbench.errors import BadConfig, Usage
from workbench.home import _yaml

BREAKS = "\r\n\x85\u2028\u2029"  # what ends a line in YAML 1.1
MAX_VALUES = 200_000  # aliases can make a small text unfold without bound
Value = str | int | float | bool


def edit(text: str, key: str, value: Value) -> str:
    """Return `text` with the dotted `key` set to `value`; a missing key or section is inserted.

    Comments, order, quoting, line ends, a BOM and a missing final newline survive; a key that already has the value
    keeps its spelling (`on` stays `on`). Nothing is returned but a text
    whose data differ from the old by that key alone. Raises BadConfig (with the line where it is known) for text
    that is not one YAML mapping, for a key written twice, and wherever anchors, tags or block text stand in the
    way; Usage for an empty key.
    """
    path = key.split(".")
    if not all(path):
        raise Usage(f"“{key}” is no key; write it as section.key.")
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    body = text[len(bom) :]
    layout = _compose(body)
    before = _data(body)
    if before is not None and not isinstance(before, dict):
        raise BadConfig("it does not hold keys and values", 1)
    after = _place(layout, path, value).apply()
    if _holds(before, path, value):
        return text
    _verify(before, after, path, value)
    return bom + after


@dataclass(frozen=True)
class _Change:
    """Characters `start` to `end` of `text` become `new`."""

    text: str
    start: int
    end: int
    new: str

    def apply(self) -> str:
        return self.text[: self.start] + self.new + self.text[self.end :]


@dataclass
class _Layout:
    """A composed text and the habits a new line must follow."""

    text: str
    root: Any
    newline: str = "\n"
    step: int = 2

    def line(self, index: int) -> int:
        return len(re.split("\r\n|[" + BREAKS + "]", self.text[:index]))

    def refuse(self, what: str, index: int) -> BadConfig:
        return BadConfig(what, self.line(index))


def _compose(text: str) -> _Layout:
    """Parse for positions. The Python parser is used: its marks count the characters of `text`."""
    import yaml

    try:
        documents = _documents(text)
    except yaml.YAMLError:
        # The C parser, which decides in the end, allows tabs before a comment; spaces leave the marks as they are.
        try:
            documents = _documents(text.replace("\t", " "))
        except yaml.YAMLError as error:
            raise BadConfig(_yaml.error_text(error), _yaml.error_line(error)) from None
    if len(documents) > 1:
        raise BadConfig("it holds more than one document", documents[1].start_mark.line + 1)
    root = documents[0] if documents else None
    found = re.search("\r\n|\n|\r", text)
    return _Layout(text, root, found[0] if found else "\n", _step(root))


def _documents(text: str) -> list[Any]:
    import yaml

    try:
        return list(yaml.compose_all(text, yaml.SafeLoader))
    except RecursionError:
        raise BadConfig("it is nested too deeply") from None


def _step(root: Any) -> int:
    """How far this text indents a section's keys; 2 where it has no section yet."""
    for key, value in getattr(root, "value", ()) if _is_mapping(root) else ():
        if _is_mapping(value) and not value.flow_style and value.value:
            inner = value.value[0][0].start_mark.column - key.start_mark.column
            if inner > 0 and value.start_mark.index >= key.end_mark.index:
                return int(inner)
    return 2


def _place(layout: _Layout, path: list[str], value: Value) -> _Change:
    """Walk down the path as far as the text goes, then replace the scalar or insert what is missing."""
    node = layout.root
    owner: Any = None
    for depth, name in enumerate(path):
        if _is_empty(layout, node):
            return _fill_empty(layout, owner, node, path[depth:], value)
        if not _is_mapping(node):
            at = node.start_mark.index
            raise layout.refuse(f"{'.'.join(path[:depth])} holds no keys and values", at)
        pair = _find(layout, node, name)
        if pair is None:
            return _insert(layout, node, path[depth:], value)
        owner, node = pair
        _refuse_shared(layout, owner, node)
    return _replace(layout, owner, node, value)


def _is_mapping(node: Any) -> bool:
    import yaml

    return isinstance(node, yaml.MappingNode)


def _is_empty(layout: _Layout, node: Any) -> bool:
    """No document, or a null where a section belongs."""
    return node is None or (node.tag == "tag:yaml.org,2002:null" and not isinstance(node.value, list))


def _find(layout: _Layout, mapping: Any, name: str) -> tuple[Any, Any] | None:
    """The pair with that key; a key written twice is refused, as nobody can say which one is meant."""
    found = [
        (key, value)
        for key, value in mapping.value
        if not isinstance(key.value, list) and key.value == name and key.tag == "tag:yaml.org,2002:str"
    ]
    if len(found) > 1:
        raise layout.refuse(f"{name} is written twice", found[1][0].start_mark.index)
    return found[0] if found else None


def _refuse_shared(layout: _Layout, key: Any, node: Any) -> None:
    """Aliases stand elsewhere in the text, anchors and tags are inside the span: neither is ours to rewrite."""
    if node.start_mark.index < key.end_mark.index:
        raise layout.refuse(f"{key.value} is an alias of another value", key.start_mark.index)
    if layout.text[node.start_mark.index : node.start_mark.index + 1] in ("&", "!"):
        raise layout.refuse(f"{key.value} carries an anchor or a tag", node.start_mark.index)


def _replace(layout: _Layout, key: Any, node: Any, value: Value) -> _Change:
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node.value, list):
        raise layout.refuse(f"{key.value} holds a section, not a value", start)
    if node.style in ("|", ">"):
        raise layout.refuse(f"{key.value} is a block of text", start)
    new = _scalar(value, node.style)
    if start == end:
        _need_colon(layout, key, start)
        new = _spaced(layout, start, new)
    return _Change(layout.text, start, end, new)


def _need_colon(layout: _Layout, key: Any, index: int) -> None:
    if ":" not in layout.text[key.end_mark.index : index]:
        raise layout.refuse(f"{key.value} has no colon", key.start_mark.index)


def _spaced(layout: _Layout, index: int, new: str) -> str:
    """`new` with the spaces it needs where no value stood: after the colon, and before what follows."""
    left = "" if layout.text[index - 1 : index] in (" ", "\t") else " "
    right = " " if layout.text[index : index + 1] == "#" else ""
    return left + new + right


def _fill_empty(layout: _Layout, owner: Any, node: Any, path: list[str], value: Value) -> _Change:
    """The section is there but empty: give it its first line, or braces where it is written as `null` or inline."""
    text = layout.text
    if owner is None:
        if node is not None and node.start_mark.index != node.end_mark.index:
            raise layout.refuse("it does not hold keys and values", node.start_mark.index)
        return _lines_after(layout, len(text), 0, path, value)
    start, end = node.start_mark.index, node.end_mark.index
    if start != end:
        return _Change(text, start, end, "{" + _inline(path, value) + "}")
    _need_colon(layout, owner, start)
    rest = text[start : _line_end(text, start)]
    if rest.strip() and not rest.lstrip().startswith("#"):  # inside braces, something follows on the line
        return _Change(text, start, end, _spaced(layout, start, "{" + _inline(path, value) + "}"))
    indent = owner.start_mark.column + layout.step
    return _lines_after(layout, _line_end(text, start), indent, path, value)


def _insert(layout: _Layout, mapping: Any, path: list[str], value: Value) -> _Change:
    """Add a key at the end of a section that has others."""
    text = layout.text
    if mapping.flow_style:
        if not mapping.value:
            at = mapping.end_mark.index - 1
            return _Change(text, at, at, _inline(path, value))
        at = _content_end(mapping.value[-1])
        return _Change(text, at, at, ", " + _inline(path, value))
    last_key, last_value = mapping.value[-1]
    at = _content_end((last_key, last_value))
    if at == 0 or text[at - 1] not in BREAKS:
        at = _line_end(text, at)
    return _lines_after(layout, at, mapping.value[0][0].start_mark.column, path, value)


def _content_end(pair: tuple[Any, Any]) -> int:
    """Where the last thing of a pair ends; block sections end with their last value, not with the blank after it."""
    key, node = pair
    if node.start_mark.index < key.end_mark.index:  # an alias; its own place is not known, but it is on this line
        return int(key.end_mark.index)
    if not isinstance(node.value, list) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _content_end(last if isinstance(last, tuple) else (key, last))


def _line_end(text: str, index: int) -> int:
    while index < len(text) and text[index] not in BREAKS:
        index += 1
    return index


def _lines_after(layout: _Layout, at: int, indent: int, path: list[str], value: Value) -> _Change:
    """New lines after the line that ends at `at`; a missing newline at the end of the text stays missing."""
    text, newline = layout.text, layout.newline
    lines = [" " * (indent + layout.step * i) + _scalar(name, None) + ":" for i, name in enumerate(path)]
    lines[-1] += " " + _scalar(value, None)
    block = newline.join(lines)
    fresh = at == 0 or text[at - 1] in BREAKS
    if fresh and at == len(text):
        return _Change(text, at, at, block + newline)
    return _Change(text, at, at, block + newline if fresh else newline + block)


def _inline(path: list[str], value: Value) -> str:
    out = _scalar(value, None)
    for name in reversed(path[1:]):
        out = "{" + f"{_scalar(name, None)}: {out}" + "}"
    return f"{_scalar(path[0], None)}: {out}"


def _scalar(value: Value, style: str | None) -> str:
    """A value as YAML text that reads back as the same value; `style` is the old scalar's quote, if it had one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if _needs_escapes(value):
        return _double(value)
    if style == '"':
        return _double(value)
    if style is None and _plain_is_safe(value):
        return value
    return "'" + value.replace("'", "''") + "'"


def _float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    mantissa, e, exponent = repr(value).partition("e")
    if not e:
        return mantissa
    # YAML 1.1 reads an exponent only after a dot and with a sign.
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent if exponent[0] in '+-' else '+' + exponent}"


@cache
def _unprintable() -> re.Pattern[str]:
    return re.compile("[^ -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]")


def _needs_escapes(text: str) -> bool:
    return bool(_unprintable().search(text))


def _double(text: str) -> str:
    def escape(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}"

    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return '"' + _unprintable().sub(escape, inner) + '"'


def _plain_is_safe(text: str) -> bool:
    """Whether `text` without quotes is read as itself, in a line of its own and inside braces."""
    if not text or text != text.strip() or text.lower() in ("y", "n"):
        return False
    import yaml

    try:
        block = yaml.load(f"k: {text}\n", yaml.SafeLoader)
        flow = yaml.load("{k: " + text + ", l: 1}", yaml.SafeLoader)
        as_key = yaml.load(f"{text}: 1\n", yaml.SafeLoader)
    except (yaml.YAMLError, ValueError):
        return False
    return bool(block == {"k": text} and flow == {"k": text, "l": 1} and as_key == {text: 1})


def _data(text: str) -> Any:
    """The data as the client reads them, unfolded: nothing in them is shared any more."""
    import yaml

    try:
        return _unfold(yaml.load(text, _yaml.fast_loader()), [MAX_VALUES])
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise BadConfig(_yaml.error_text(error), _yaml.error_line(error)) from None


def _unfold(data: Any, left: list[int]) -> Any:
    left[0] -= 1
    if left[0] < 0:
        raise BadConfig("its aliases unfold to too many values")
    if isinstance(data, dict):
        return {key: _unfold(value, left) for key, value in data.items()}
    if isinstance(data, list):
        return [_unfold(value, left) for value in data]
    return data


def _holds(data: Any, path: list[str], value: Value) -> bool:
    for name in path:
        if not isinstance(data, dict) or name not in data:
            return False
        data = data[name]
    return _same(data, value)


def _verify(before: Any, text: str, path: list[str], value: Value) -> None:
    """Refuse a result that is not the old data with that key changed."""
    try:
        found = _data(text)
    except BadConfig as error:
        raise BadConfig(f"the change would break it ({error.what})", error.line) from None
    wanted = before if before is not None else {}
    node = wanted
    for name in path[:-1]:
        if not isinstance(node.get(name), dict):
            node[name] = {}
        node = node[name]
    node[path[-1]] = value
    if not _same(found, wanted):
        raise BadConfig("the change would touch other values too")


def _same(a: Any, b: Any) -> bool:
    """Equal in type and value, all the way down: to Python, 1, 1.0 and True are one."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return len(a) == len(b) and all(k in b and _same(v, b[k]) for k, v in a.items())
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b) or (isinstance(a, float) and math.isnan(a) and math.isnan(b))
