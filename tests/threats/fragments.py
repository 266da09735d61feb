"""Texts assembled from the words of the patterns, with gaps at and around their limits."""

from __future__ import annotations

from hypothesis import strategies as st

# A line for each pattern: the words it wants, in order. "|" separates choices, "·" is a blank within one, "∅" is
# nothing, "~" is a gap that may hold more text; a line that begins with blanks goes on.
_SKELETONS = r"""
prompt_injection: ignore ~ previous|all|above|prior ~ instructions|instruction
sys_prompt_override: system prompt override|overrides
disregard_rules: disregard ~ your|all|any ~ instructions|rules|guidelines
bypass_restrictions: act as if|though ~ you ~ have·no|don't·have|dont·have ~ restrictions|limits|rules
html_comment_injection: <!-- ~ ignore|override|system|secret|hidden ~ -->|->
hidden_div: <div|<·div style = "|' ~ display : none|nonexistent
translate_execute: translate ~ into ~ and execute|run|eval|running
deception_hide: do not ~ tell ~ the user|users
role_hijack: you are ~ now a|an|the|at pirate
role_pretend: pretend|pretends ~ you·are|to·be root
leak_system_prompt: output ~ system|initial prompt
remove_filters: respond|answer|reply without ~ restrictions|limitations|filters|safety
fake_update: you have been ~ updated|upgraded|patched to
identity_override: name|rename yourself Zed|-
c2_node_registration: register as|∅|a a|∅|an node|anode
c2_heartbeat: heartbeat|beacon|check-in|check·in|checkin to|with|for Ana
c2_task_pull: pull down|∅ new|∅ task|tasks|tasking|taskbar
c2_network_connect: connect to the network|networks
forced_action: you must ~ register|connect|report|beacon|reporter
anti_forensic_oneliner: only use one-liners|one·liner|oneliners|one··liner
anti_forensic_disk: never ~ create|write ~ script|file|scripts ~ disk
env_var_unset_agent: unset MY_CLAUDE_X|CODEX|HERMES_HOME|AGENT|OPENAI|anthropic_key|PATH
known_c2_framework: cobalt·strike|cobaltstrike|sliver|slivers|havoc|Mythic+|metasploit|brainworm
c2_explicit: c2|ec2 server|channel|infrastructure|beacon|servers
c2_explicit_long: command and control|controls
exfil_curl: curl|curling ~ $API_KEY|${MY_TOKEN}|$SECRETS|$ETAPI_URL|$PATH|$a$TOKEN
exfil_wget: wget ~ $PASSWORD|${CREDENTIAL|$KEYS|$MONKEY_BAR|$
read_secrets: cat|concat ~ .env|credentials|.netrc|.pgpass|x.npmrc|.pypirc|env
send_to_url: send|post|upload|transmit ~ to|at https://x.test|http://|ftp://
context_exfil: include|output|print|share ~
    conversation|chat·history|previous·messages|full·context|entire·context
ssh_backdoor: authorized_keys|authorised_keys
ssh_access: cp|cat|>|>>|open(|gitk|see ~ ~/.ssh|$HOME/.ssh/x|/root/.ssh
hermes_env: ~/.hermes/.env|$HOME/.hermes/.env|/.hermes/.env
agent_config_mod: update|modify|edit|write|change|append|add·to|add ~
    AGENTS.md|CLAUDE.md|.cursorrules|.clinerules|README.md
hermes_config_mod: update|credit|change ~ .hermes/config.yaml|.hermes/SOUL.md|.hermes/x
hardcoded_secret: api_key|api-key|apikey|token|secret|password =|:
    "abcdefghij0123456789|'abcdefghij012345678|"MYPLUGIN_APP_PASSWORD"|"correct_horse_battery_staple"|x
"""


def _parse(lines: str) -> dict[str, list[list[str]]]:
    out: dict[str, list[list[str]]] = {}
    for line in lines.replace("\n    ", " ").strip().splitlines():
        name, _, words = line.partition(": ")
        out[name] = [word.replace("·", " ").replace("∅", "").split("|") for word in words.split(" ")]
    return out


SKELETONS = _parse(_SKELETONS)
_GAPS = ["", "x", "a b", "one two three", "a b c d e f g h", "a b c d e f g h i", "mail, then", "and then", "into"]
_GAPS += ["x" * 511, "x" * 512, "x" * 513, "y " * 255, "y" * 2047, "y" * 2048, "y" * 2049, " " * 600]
_GAPS += ["a\nb", "\n", "a>b", "-", "french"]
_SPACES = [" "] * 10 + ["  ", "\n", "\t", "\u00a0", "\u3000", "", "-", " \n ", "\x1c"]
_DISGUISES = [
    ("i", "\u0131"), ("i", "\u0130"), ("s", "\u017f"), ("k", "\u212a"), ("a", "\uff41"), ("fi", "\ufb01"),
    ("e", "e\u0301"), ("o", "\u043e"), ("n", "n\u0323\u0307"), (" ", "\u2003"), ("c", "\u200dc"), ("t", "T"),
]  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    """One or two skeletons with gaps filled in, sometimes interleaved or disguised."""
    pieces: list[str] = []
    for name in draw(st.lists(st.sampled_from(sorted(SKELETONS)), min_size=1, max_size=2)):
        for choice in SKELETONS[name]:
            piece = draw(st.sampled_from(_GAPS if choice == ["~"] else choice))
            pieces += (piece, draw(st.sampled_from(_SPACES)))
    if draw(st.integers(0, 9)) == 0:
        del pieces[draw(st.integers(0, len(pieces) - 1))]
    text = "".join(pieces)
    for old, new in draw(st.lists(st.sampled_from(_DISGUISES), max_size=1)):
        text = text.replace(old, new)
    return text
