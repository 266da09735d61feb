"""What writing a file in the agent's own form (`normalise`) would change, in words; the entries never change by it."""

from __future__ import annotations

from workbench.memory.document import BOM, DELIMITER, Document, serialise


def is_tidy(document: Document) -> bool:
    """Whether the file is byte for byte what the agent would write for its entries; a missing file is."""
    return document.data is None or document.data == serialise(document.texts)


def layout_changes(document: Document) -> tuple[str, ...]:
    """One phrase for each thing that `normalise` would change; empty for a tidy or an unreadable file.

    Lines are counted from 1.
    """
    if is_tidy(document) or document.state == "unreadable" or document.data is None:
        return ()
    said = []
    raw = document.data.decode("utf-8")
    if raw.startswith(BOM):
        said.append("the byte order mark at the beginning goes")
    if document.client_text != raw:
        pairs = raw.count("\r\n")
        alone = raw.count("\r") - pairs
        kinds = [f"{number:,} {name}" for number, name in ((pairs, "CR LF"), (alone, "lone CR")) if number]
        said.append(f"line ends become LF ({', '.join(kinds)})")
    body = document.client_text.removeprefix(BOM)
    pieces = body.split(DELIMITER)
    line, beside, hollow = 1, [], 0
    for number, piece in enumerate(pieces):
        first, last = number == 0, number == len(pieces) - 1
        hollow += not piece.strip() and not (first or last)
        if number and piece[:1].isspace() and piece.strip():
            beside.append(line - 1)
        line += piece.count("\n") + 2
        if not last and piece[-1:].isspace() and piece.strip():
            beside.append(line - 1)
    if beside:
        lines = ", ".join(map(str, sorted(set(beside))[:8]))
        more = " and more" if len(set(beside)) > 8 else ""
        said.append(f"blanks beside the § in line {lines}{more} go")
    if hollow:
        said.append(
            f"{hollow:,} empty entr{'y' if hollow == 1 else 'ies'} between two § go{'es' if hollow == 1 else ''}"
        )
    if body != body.strip() or not pieces[0].strip() or not pieces[-1].strip():
        said.append("blanks and empty lines at the file's ends go")
    if document.duplicates:
        exact = "1 exact copy goes" if document.duplicates == 1 else f"{document.duplicates:,} exact copies go"
        said.append(f"{exact}, the first one stays")
    return tuple(said) or ("its bytes become those the agent writes",)
