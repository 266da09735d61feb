"""One plain sentence for every id a scan can report."""

from __future__ import annotations

import unicodedata

INVISIBLE_PREFIX = "invisible_unicode_U+"

_SENTENCES: dict[str, str] = {
    "prompt_injection": "It asks the agent to drop its earlier instructions, the classic start of a prompt injection.",
    "sys_prompt_override": "It claims to override the system prompt, which only the agent's own settings may do.",
    "disregard_rules": "It tells the agent to disregard its rules or instructions, as an injected text would.",
    "bypass_restrictions": "It asks the agent to act as if no restrictions applied to it, a common jailbreak.",
    "html_comment_injection": "An HTML comment holds words such as “ignore” or “system” that only the agent sees.",
    "hidden_div": "An HTML block is set to be invisible, so the agent would read what a person cannot see.",
    "translate_execute": "It asks to translate something and run the result, which smuggles commands past a reader.",
    "deception_hide": "It asks the agent to keep something from its user, which no honest note needs.",
    "role_hijack": "It tells the agent that it is now somebody else, which replaces the role its owner gave it.",
    "role_pretend": "It asks the agent to pretend to be somebody else, a usual way around its rules.",
    "leak_system_prompt": "It asks the agent to print its system prompt, which may hold private memory.",
    "remove_filters": "It asks for answers without restrictions or safety filters.",
    "fake_update": "It claims that the agent has been updated, a pretext for new rules from an outsider.",
    "identity_override": "It tells the agent to give itself another name, a known step of taking an agent over.",
    "c2_node_registration": "It speaks of registering as a node, the way hijacked agents join a control network.",
    "c2_heartbeat": "It speaks of a heartbeat, beacon or check-in, the way hijacked agents report to a controller.",
    "c2_task_pull": "It speaks of pulling tasks, the way hijacked agents fetch orders from a controller.",
    "c2_network_connect": "It tells to connect to “the network”, wording known from texts that recruit agents.",
    "forced_action": "It orders the agent to register, connect, report or beacon, which serves somebody else.",
    "anti_forensic_oneliner": "It demands one-liners only, a habit that leaves no script behind to examine.",
    "anti_forensic_disk": "It forbids scripts or files on disk, which would hide what was done.",
    "env_var_unset_agent": "It unsets an environment variable of an agent, which can switch off its safeguards.",
    "known_c2_framework": "It names a tool that attackers use to control machines; some are everyday words too.",
    "c2_explicit": "It names the server or channel of a command-and-control network.",
    "c2_explicit_long": "It uses the words “command and control”, the usual name for steering hijacked machines.",
    "exfil_curl": "A curl command uses a secret from an environment variable, which could send it away.",
    "exfil_wget": "A wget command uses a secret from an environment variable, which could send it away.",
    "read_secrets": "It prints a file that usually holds credentials, which would bring them into the conversation.",
    "send_to_url": "It tells to send something to a web address, by which private data could leave.",
    "context_exfil": "It asks to include or print the conversation or its context, which may be private.",
    "ssh_backdoor": "It mentions the file of keys allowed to log in over SSH; a key added there opens a back door.",
    "ssh_access": "It mentions the folder with SSH keys; whoever reads or writes it can log in as you.",
    "hermes_env": "It points at the agent's own file of credentials.",
    "agent_config_mod": "It tells to change a file that steers coding agents, and so would outlive this conversation.",
    "hermes_config_mod": "It tells to change the agent's own configuration or character file.",
    "hardcoded_secret": "It holds what looks like a password or key in clear text, repeated in every session.",
    "wb_blocked_prefix": "It begins with “[BLOCKED:”, and the agent puts such an entry into its prompt unscanned.",
    "wb_beyond_window": "The agent scans only the first 65,536 characters; nothing after them was checked.",
    "wb_hidden_letters": "Without the characters that no screen draws it is an instruction that the agent's scanner "
    "refuses.",
    "wb_lookalikes": "It holds letters of another alphabet that look like English ones; read as those it is refused "
    "wording.",
    "wb_split_words": "Its letters stand apart, and joined they are an instruction that the agent's scanner refuses.",
    "wb_encoded": "It is an encoded text (base64 or the like) that decodes to an instruction; a model can read such "
    "text.",
    "wb_other_language": "It tells the agent to drop its instructions or to hide something, in words that its scanner "
    "does not know.",
    "wb_tag_text": "It holds letters written in invisible tag characters, which a model reads and a person cannot see.",
    "wb_selector_payload": "A row of invisible variation selectors stands here, which can carry hidden text.",
    "wb_credential": "It looks like a credential; memory is part of every prompt and is sent to the model's provider.",
}


def explain(pattern_id: str) -> str:
    """One sentence on what the pattern is and why it matters; a general one for an id of a client yet unknown."""
    if pattern_id.startswith(INVISIBLE_PREFIX):
        try:
            char = chr(int(pattern_id.removeprefix(INVISIBLE_PREFIX), 16))
        except (ValueError, OverflowError):
            char = ""
        name = unicodedata.name(char, "") if char else ""
        called = f" ({name.lower()})" if name else ""
        return f"It holds an invisible character{called}, which can hide text from a person that the agent still reads."
    return _SENTENCES.get(pattern_id, "The agent's own scanner refuses this wording.")
