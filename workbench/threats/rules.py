"""What the clients' scanners look for, as rows of data.

A rule is a sequence of tokens with gaps between them. A token is a small regular expression in which a blank stands
for white space (one or more, newlines too); it never holds an unbounded choice, so every token is found in one pass.
`Fill` and `Stretch` say what may stand between two tokens; `workbench.threats.engine` does the rest.

The verdicts are those of the published clients: `RULES_019` (0.19), `RULES_022` (0.22) and `RULES_014` (0.13 and 0.14).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

WINDOW = 65_536  # code points that the 0.19 and 0.22 clients look at; what follows is never scanned
UNLIMITED = 1 << 40

INVISIBLE_019 = "\u200b\u200c\u200d\u2060\u2062\u2063\u2064\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
INVISIBLE_014 = "\u200b\u200c\u200d\u2060\u202a\u202b\u202c\u202d\u202e\ufeff"


@dataclass(frozen=True)
class Fill:
    """White space, then at most `most` whole words, each with white space after it."""

    most: int = 8


@dataclass(frozen=True)
class Stretch:
    """At most `most` characters other than `stop`; `before` and `after` ask for white space at its two ends."""

    most: int
    stop: str = "\n"
    before: bool = False
    after: bool = False


Step = str | Fill | Stretch


@dataclass(frozen=True)
class Rule:
    """One pattern of a client: its id, the narrowest scope that uses it, its steps.

    `hints` are lower-case literals, at least one of which every match contains: a text without them needs no search.
    """

    id: str
    scope: str
    steps: tuple[Step, ...]
    hints: tuple[str, ...]


_WORDS = Fill()
_LINE = Stretch(2048, before=True)
_PROSE = Stretch(512, before=True, after=True)
_COMMENT = Stretch(512, ">")
_VARIABLE = r"\$\{?\w*(?:key|token|secret|password|credential|api)"
_VARIABLE_END = r"\$\{?\w*(?:key|token|secret|password|credential)s?\b"
_CHANGE = r"(?:update|modify|edit|write|change|append|add to)"
_SSH = r"(?:\$home|~)/\.ssh"
_SECRET_LABEL = r"(?:api[_-]?key|token|secret|password)\s*+[=:]\s*+[\"']"


def _rule(rule_id: str, scope: str, hints: str, *steps: Step) -> Rule:
    return Rule(rule_id, scope, steps, tuple(hints.split()))


RULES_019: tuple[Rule, ...] = (
    _rule("prompt_injection", "all", "instructions", "ignore", _WORDS, "(?:previous|all|above|prior)", _WORDS,
          "instructions"),
    _rule("sys_prompt_override", "all", "override", "system prompt override"),
    _rule("disregard_rules", "all", "disregard", "disregard", _WORDS, "(?:your|all|any)", _WORDS,
          "(?:instructions|rules|guidelines)"),
    _rule("bypass_restrictions", "all", "restrictions limits rules", "act as (?:if|though)", _WORDS, "you", _WORDS,
          "(?:have no|don't have)", _WORDS, "(?:restrictions|limits|rules)"),
    _rule("html_comment_injection", "all", "<!--", "<!--", _COMMENT, "(?:ignore|override|system|secret|hidden)",
          _COMMENT, "-->"),
    _rule("hidden_div", "all", "display", r"<\s*+div style\s*+=\s*+[\"']", Stretch(2048, ">"), r"display\s*+:\s*+none"),
    _rule("translate_execute", "all", "translate", "translate", _PROSE, "into", _PROSE, "and (?:execute|run|eval)"),
    _rule("deception_hide", "all", "tell", "do not", _WORDS, "tell", _WORDS, "the user"),
    _rule("role_hijack", "context", "now", "you are", _WORDS, r"now (?:a|an|the)(?=\s)"),
    _rule("role_pretend", "context", "pretend", "pretend", _WORDS, r"(?:you are|to be)(?=\s)"),
    _rule("leak_system_prompt", "context", "output", "output", _WORDS, "(?:system|initial) prompt"),
    _rule("remove_filters", "context", "without", "(?:respond|answer|reply) without", _WORDS,
          "(?:restrictions|limitations|filters|safety)"),
    _rule("fake_update", "context", "updated upgraded patched", "you have been", _WORDS,
          "(?:updated|upgraded|patched) to"),
    _rule("identity_override", "context", "yourself", r"\bname yourself \w++"),
    _rule("c2_node_registration", "context", "register", r"register (?:as )?+a?+\s*+node"),
    _rule("c2_heartbeat", "context", "heartbeat beacon check", r"(?:heartbeat|beacon|check[\s-]?in) (?:to|with)(?=\s)"),
    _rule("c2_task_pull", "context", "pull", r"pull (?:down )?+(?:new )?+task(?:ing|s)?\b"),
    _rule("c2_network_connect", "context", "network", r"connect to the network\b"),
    _rule("forced_action", "context", "must", "you must", Fill(3), r"(?:register|connect|report|beacon)\b"),
    _rule("anti_forensic_oneliner", "context", "liner", r"only use one[\s-]?liners?\b"),
    _rule("anti_forensic_disk", "context", "never", "never", _WORDS, "(?:create|write)", _WORDS, "(?:script|file)",
          _WORDS, "disk"),
    _rule("env_var_unset_agent", "context", "unset", r"unset \w*(?:claude|codex|hermes|agent|openai|anthropic)\w*"),
    _rule("known_c2_framework", "context", "cobalt sliver havoc mythic metasploit brainworm",
          r"\b(?:cobalt\s*+strike|sliver|havoc|mythic|metasploit|brainworm)\b"),
    _rule("c2_explicit", "context", "c2", r"\bc2 (?:server|channel|infrastructure|beacon)\b"),
    _rule("c2_explicit_long", "context", "command", r"\bcommand and control\b"),
    _rule("exfil_curl", "all", "curl", "curl", _LINE, _VARIABLE),
    _rule("exfil_wget", "all", "wget", "wget", _LINE, _VARIABLE),
    _rule("read_secrets", "all", "cat", "cat", _LINE, r"(?:credentials|\.(?:env|netrc|pgpass|npmrc|pypirc))"),
    _rule("send_to_url", "strict", "://", "(?:send|post|upload|transmit)", replace(_LINE, after=True), "(?:to|at) https?://"),
    _rule("context_exfil", "strict", "include output print share", "(?:include|output|print|share)", _WORDS,
          "(?:conversation|chat history|previous messages|full context|entire context)"),
    _rule("ssh_backdoor", "strict", "authorized_keys", "authorized_keys"),
    _rule("ssh_access", "strict", "/.ssh", _SSH),
    _rule("hermes_env", "strict", "/.hermes/.env", r"(?:\$home|~)/\.hermes/\.env"),
    _rule("agent_config_mod", "strict", "agents.md claude.md .cursorrules .clinerules", _CHANGE, _LINE,
          r"(?:(?:agents|claude)\.md|\.(?:cursor|cline)rules)"),
    _rule("hermes_config_mod", "strict", ".hermes/", _CHANGE, _LINE, r"\.hermes/(?:config\.yaml|soul\.md)"),
    _rule("hardcoded_secret", "strict", "key token secret password", _SECRET_LABEL + "[a-z0-9+/=_-]{20,}+"),
)  # fmt: skip

# 0.22 narrows these; the rest is as in 0.19.
_NARROWED = {
    "translate_execute": _rule("translate_execute", "all", "translate", "translate", _PROSE,
                               r"into(?=( \w++(?:[\s-]++\w++){0,2} and (?:execute|run|eval)\b))"),
    "exfil_curl": _rule("exfil_curl", "all", "curl", "curl", _LINE, _VARIABLE_END),
    "exfil_wget": _rule("exfil_wget", "all", "wget", "wget", _LINE, _VARIABLE_END),
    "ssh_access": _rule(
        "ssh_access", "strict", "/.ssh",
        r"(?:\b(?:echo|cat|cp|mv|dd|tee|install|printf|rsync|scp|ln|append|add|write|sed|ch(?:mod|own)|truncate|rm|touch"
        r"|curl|wget|git)\b|\bopen\s*+\(|>>?)", Stretch(512), _SSH),
    "hardcoded_secret": _rule(
        "hardcoded_secret", "strict", "key token secret password",
        _SECRET_LABEL + "(?!(?-i:[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++)[\"'])[a-z0-9+/=_-]{20,}+"),
}  # fmt: skip
RULES_022 = tuple(_NARROWED.get(rule.id, rule) for rule in RULES_019)

_ANY_LINE = Stretch(UNLIMITED, before=True)
RULES_014: tuple[Rule, ...] = (
    _rule("prompt_injection", "all", "instructions", "ignore (?:previous|all|above|prior) instructions"),
    _rule("role_hijack", "all", "now", r"you are now(?=\s)"),
    _rule("deception_hide", "all", "tell", "do not tell the user"),
    _rule("sys_prompt_override", "all", "override", "system prompt override"),
    _rule("disregard_rules", "all", "disregard", "disregard (?:your|all|any) (?:instructions|rules|guidelines)"),
    _rule("bypass_restrictions", "all", "restrictions limits rules",
          "act as (?:if|though) you (?:have no|don't have) (?:restrictions|limits|rules)"),
    _rule("exfil_curl", "all", "curl", "curl", _ANY_LINE, _VARIABLE),
    _rule("exfil_wget", "all", "wget", "wget", _ANY_LINE, _VARIABLE),
    _rule("read_secrets", "all", "cat", "cat", _ANY_LINE, r"(?:credentials|\.(?:env|netrc|pgpass|npmrc|pypirc))"),
    _rule("ssh_backdoor", "all", "authorized_keys", "authorized_keys"),
    _rule("ssh_access", "all", "/.ssh", _SSH),
    _rule("hermes_env", "all", "/.hermes/.env", r"(?:\$home|~)/\.hermes/\.env"),
)  # fmt: skip
