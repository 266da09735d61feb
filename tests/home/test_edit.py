from __future__ import annotations

import math
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import BadConfig, Usage
from workbench.home.edit import Value, edit

GATE = "memory.write_approval"

REPLACED = [
    ("memory:\n  write_approval: false\n", "memory:\n  write_approval: true\n"),
    ("memory:\n  write_approval: off # q", "memory:\n  write_approval: true # q"),
    ("memory:\n  write_approval:    no\t# q\n", "memory:\n  write_approval:    true\t# q\n"),
    ("\ufeffmemory:\r\n  write_approval: no\r\n# e", "\ufeffmemory:\r\n  write_approval: true\r\n# e"),
    ("memory:\r  write_approval: no\rb: 2\r", "memory:\r  write_approval: true\rb: 2\r"),
    ("memory:\n  write_approval: 'no'\n", "memory:\n  write_approval: true\n"),
    ("memory:\n  write_approval: many\n    words\n  b: 2\n", "memory:\n  write_approval: true\n  b: 2\n"),
    ("memory:\n  write_approval:\n  b: 2\n", "memory:\n  write_approval: true\n  b: 2\n"),
    ("memory:\n  write_approval:   # q\n", "memory:\n  write_approval: true   # q\n"),
    ("memory:\n  write_approval: ~\n", "memory:\n  write_approval: true\n"),
    ("memory: {a: [1, 2], write_approval: no, b: 2}\n", "memory: {a: [1, 2], write_approval: true, b: 2}\n"),
    ("{memory: {write_approval: , b: 2}}", "{memory: {write_approval: true , b: 2}}"),
    ("? memory\n: write_approval: no\n", "? memory\n: write_approval: true\n"),
    ("'memory':\n  \"write_approval\": no\n", "'memory':\n  \"write_approval\": true\n"),
    ("---\nmemory:\n  write_approval: no\n...\n", "---\nmemory:\n  write_approval: true\n...\n"),
    ("memory:\n  write_approval: on  # q\n", "memory:\n  write_approval: on  # q\n"),
    (
        "x: &x 1\ny: *x\nmemory: {write_approval: no}\nz: [1]\nz: 2\n",
        "x: &x 1\ny: *x\nmemory: {write_approval: true}\nz: [1]\nz: 2\n",
    ),
]

INSERTED = [
    ("", "memory:\n  write_approval: true\n"),
    ("# c", "# c\nmemory:\n  write_approval: true"),
    ("# c\r\n", "# c\r\nmemory:\r\n  write_approval: true\r\n"),
    ("---\n", "---\nmemory:\n  write_approval: true\n"),
    ("a: 1\n", "a: 1\nmemory:\n  write_approval: true\n"),
    ("a: 1 # c", "a: 1 # c\nmemory:\n  write_approval: true"),
    ("a:\n    b: 1\n", "a:\n    b: 1\nmemory:\n    write_approval: true\n"),
    ("memory:\n", "memory:\n  write_approval: true\n"),
    ("memory: # c\n  # d\nb: {}\n", "memory: # c\n  write_approval: true\n  # d\nb: {}\n"),
    ("memory: ~\nb: 1\n", "memory: {write_approval: true}\nb: 1\n"),
    ("memory: {}\n", "memory: {write_approval: true}\n"),
    ("memory: {a: 1}\n", "memory: {a: 1, write_approval: true}\n"),
    ("memory: {a: 1,\n  b: 2 # c\n}\n", "memory: {a: 1,\n  b: 2, write_approval: true # c\n}\n"),
    ("{memory: , x: 1}", "{memory: {write_approval: true} , x: 1}"),
    ("{}", "{memory: {write_approval: true}}"),
    (
        "memory:\n    a: 1   # keep\n\n  # c\n\nb:\n  c: 2",
        "memory:\n    a: 1   # keep\n    write_approval: true\n\n  # c\n\nb:\n  c: 2",
    ),
    (
        "memory:\n  x:\n    - 1\n    - b: 2\n# end\n",
        "memory:\n  x:\n    - 1\n    - b: 2\n  write_approval: true\n# end\n",
    ),
    ("memory:\n  t: |+\n    foo\n\n\nz: 1\n", "memory:\n  t: |+\n    foo\n\n\n  write_approval: true\nz: 1\n"),
    ("b: &b {q: 1}\nmemory:\n  <<: *b\n", "b: &b {q: 1}\nmemory:\n  <<: *b\n  write_approval: true\n"),
    ("a: 1\n...\n", "a: 1\nmemory:\n  write_approval: true\n...\n"),
]


@pytest.mark.parametrize(("text", "wanted"), REPLACED + INSERTED)
def test_only_what_is_needed_changes(text: str, wanted: str) -> None:
    assert edit(text, GATE, True) == wanted


REFUSED = [
    ("memory:\n  write_approval: &a no\nb: *a\n", 2),
    ("memory: &m\n  write_approval: no\nb: *m\n", 1),
    ("b: &b {write_approval: no}\nmemory: *b\n", 2),
    ("b: &b no\nmemory:\n  write_approval: *b\n", 3),
    ("memory:\n  write_approval: !!bool no\n", 2),
    ("a: 1\n---\nmemory: {}\n", 3),
    ("memory:\n\twrite_approval: no\n", 2),
    ("memory:\n  a: 1\nmemory:\n  b: 2\n", 3),
    ("memory:\n  write_approval: 1\n  write_approval: 2\n", 3),
    ("memory: [1]\n", 1),
    ("a: 1\nmemory: text\n", 2),
    ("memory:\n  write_approval: {a: 1}\n", 2),
    ("memory:\n  write_approval: |\n    no\n", 2),
    ("- memory\n", 1),
    ("text\n", 1),
    ("~\n", 1),
    ("a: *x\n", 1),
    ("memory: {write_approval}\n", 1),
    ("memory: &m {a: *m}\n", 0),
    ("a: 1\nmemory: {\n", 3),
    ("d: 2024-13-45\nmemory: {}\n", 0),
    ("a: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"a{n}: &a{n} [{','.join(['*a' + str(n - 1) if n else '*a'] * 10)}]\n" for n in range(8)), 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line"), REFUSED)
def test_what_cannot_be_edited_safely(text: str, line: int) -> None:
    with pytest.raises(BadConfig) as caught:
        edit(text, GATE, True)
    assert line in (0, caught.value.line)


@pytest.mark.parametrize("key", ["", ".", "memory.", ".a", "a..b"])
def test_no_key(key: str) -> None:
    with pytest.raises(Usage):
        edit("a: 1\n", key, True)


STYLES: list[tuple[str, Value, str]] = [
    ("x", "plain", "plain"),
    ('"x"', "plain", '"plain"'),
    ("'x'", "it's", "'it''s'"),
    ("x", "on", "'on'"),
    ("x", "12", "'12'"),
    ("x", "1.5", "'1.5'"),
    ("x", "null", "'null'"),
    ("x", "", "''"),
    ("x", " a", "' a'"),
    ("x", "y", "'y'"),
    ("x", "a: b", "'a: b'"),
    ("x", "a #b", "'a #b'"),
    ("x", "a, b", "'a, b'"),
    ("x", "[a]", "'[a]'"),
    ("x", "&a", "'&a'"),
    ("x", "acme/large-1", "acme/large-1"),
    ("'x'", "two\nlines", '"two\\nlines"'),
    ("x", "tab\there", '"tab\\there"'),
    ("x", "\x1b[0m\x85\u2028", '"\\x1B[0m\\x85\\u2028"'),
    ("x", "本机 😀", "本机 😀"),
    ('"x"', 5, "5"),
    ("x", -3, "-3"),
    ("x", 1e-7, "1.0e-07"),
    ("x", 1e300, "1.0e+300"),
    ("x", 0.5, "0.5"),
    ("x", math.inf, ".inf"),
    ("x", math.nan, ".nan"),
    ("x", False, "false"),
]


@pytest.mark.parametrize(("old", "value", "new"), STYLES)
def test_how_values_are_written(old: str, value: Value, new: str) -> None:
    assert edit(f"a: {old} # c\n", "a", value) == f"a: {new} # c\n"


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
NAMES = st.sampled_from(["a", "b", "memory", "on", "1", "x y", "é"])
DATA: st.SearchStrategy[Any] = st.dictionaries(
    NAMES,
    st.one_of(SCALARS, st.none(), st.lists(SCALARS, max_size=2), st.dictionaries(NAMES, SCALARS, max_size=3)),
    max_size=4,
)


@given(
    DATA,
    st.lists(NAMES, min_size=1, max_size=3),
    SCALARS,
    st.sampled_from([None, True, False]),
    st.sampled_from([2, 4]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
    st.booleans(),
)
def test_the_data_differ_by_that_key_alone(
    data: dict[str, Any],
    path: list[str],
    value: Value,
    flow: bool | None,
    indent: int,
    newline: str,
    bom: str,
    ending: bool,
) -> None:
    body = yaml.safe_dump(data, default_flow_style=flow, indent=indent, allow_unicode=True, sort_keys=False)
    text = bom + (body if ending else body.rstrip("\n")).replace("\n", newline)
    try:
        got = edit(text, ".".join(path), value)
    except BadConfig:
        return
    data = yaml.safe_load(text)  # not the data dumped: the dumper writes NEL and others raw, and folds them
    node: Any = data
    for name in path[:-1]:
        if not isinstance(node.get(name), dict):
            node[name] = {}
        node = node[name]
    node[path[-1]] = value
    assert yaml.safe_load(got) == data
    # One span changed: what is before and after it is the same, character for character.
    start = 0
    while start < min(len(text), len(got)) and text[start] == got[start]:
        start += 1
    end = 0
    while end < min(len(text), len(got)) - start and text[-1 - end] == got[-1 - end]:
        end += 1
    assert len(got) - start - end <= len(repr(value)) * 4 + sum(map(len, path)) + 60
    assert got.startswith(bom)


@given(SCALARS, st.sampled_from(["memory:\n  a: {} # c\n  b: 2\n", "memory: {{a: {}, b: 2}} # c\n"]), SCALARS)
def test_an_edit_and_its_inverse(old: Value, frame: str, new: Value) -> None:
    first = edit(frame.format("0"), "memory.a", old)
    assert yaml.safe_load(first) == {"memory": {"a": old, "b": 2}}
    there = edit(first, "memory.a", new)
    assert yaml.safe_load(there) == {"memory": {"a": new, "b": 2}}
    assert there.endswith(frame.partition("{}")[2].replace("}}", "}"))


@given(st.text(alphabet="memory:_writaplov \n\r-&*!|>{}[]'\"#0on~<,?\t", max_size=80))
def test_any_text_is_edited_right_or_refused(text: str) -> None:
    try:
        before = yaml.safe_load(text)
        got = edit(text, GATE, True)
    except (BadConfig, yaml.YAMLError):
        return
    assert {**(before or {}), "memory": None} == {**yaml.safe_load(got), "memory": None}
    assert yaml.safe_load(got)["memory"]["write_approval"] is True
