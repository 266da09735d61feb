"""Instructions to an agent in languages that the client's scanner does not read, as short phrases.

Three things are looked for, and nothing milder, because a memory holds many honest instructions: dropping all earlier
instructions, printing the system prompt, and answering without restrictions or keeping something from the user. A
phrase is written in the form of `views.readable` (no case, no accents). Between its parts stand at most a few words of
the same sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from workbench.threats.views import View, folded

# A gap between two parts of a phrase; a letter beyond which no sentence goes on is not crossed.
_NEAR = "[^.!?。！？؟।\n]{0,24}?"
_CLOSE = "[^.!?。！？؟।\n]{0,8}?"

# language: (one literal of which every phrase has, the phrases, words before or inside that turn them round)
_PHRASES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "en": ("instruct rules guidelines prompt directive everything", (
        r"\b(?:forget|override|bypass|discard|set aside|stop following|do not follow) (?:all|any"
        r"|every one) (?:of )?"
        r"(?:your |the |my )?(?:previous|prior|earlier|preceding|above|original|existing|system) "
        r"(?:instructions?|rules|guidelines|directives|prompts?)\b",
        r"\bforget your (?:previous|prior|earlier|original) (?:instructions|rules|guidelines|directives)\b",
        r"\b(?:ignore|disregard|forget) everything (?:above|(?:that )?you (?:were|have been) (?:told"
        r"|instructed|taught))\b",
        r"\b(?:reveal|disclose|leak|repeat|print|show)(?: me| us)? (?:your|the) (?:hidden|full|entire"
        r"|whole|secret|initial)"
        r" system prompt\b",
    ), r"\b(?:never|don't|do not|not to)\b"),
    "es": ("instrucc indicac reglas ordenes restricc filtros limites usuario sistema", (
        r"\b(?:ignor(?:a|e|ad|en|ar)|olvid(?:a|e|ad|en|ar)|descart(?:a|e|en|ar)) (?:por completo )?"
        r"(?:todas? )?"
        r"(?:las|tus|sus|mis) (?:instrucciones|indicaciones|reglas|ordenes) (?:anteriores|previas|de "
        r"arriba|del sistema)\b",
        r"\b(?:ignor(?:a|e)|olvid(?:a|e)) (?:todas las|todas tus|cualquier) (?:instruccion(?:es)?"
        r"|reglas|ordenes)\b",
        rf"\b(?:muestra|revela|imprime|ensena|di)(?:me)? {_NEAR}(?:prompt|mensaje|instrucciones) (?:de"
        r"|del) sistema\b",
        r"\bha(?:z|ga) caso omiso (?:de|a) (?:todas )?(?:las|tus|mis) (?:instrucciones|indicaciones|reglas|ordenes) "
        r"(?:anteriores|previas)\b",
        r"\bno (?:se )?l[eo] (?:digas|cuentes|reveles) (?:nada de esto|esto|nada) al usuario\b",
        r"\b(?:actua|responde)r? (?:como si no tuvieras|sin) (?:ninguna? )?(?:restricciones"
        r"|restriccion|filtros|limites)\b",
    ), r"\b(?:nunca|jamas|no)\b"),
    "fr": ("instructions consignes regles utilisateur systeme restrict filtre limite", (
        r"\b(?:ignore[rz]?|oublie[rz]?) (?:toutes )?(?:les|tes|vos|mes) (?:instructions|consignes|regles) "
        r"(?:precedentes|anterieures|ci-dessus|du systeme)\b",
        r"\b(?:ignore[rz]?|oublie[rz]?) toutes (?:les|tes|vos) (?:instructions|consignes|regles)\b",
        rf"\b(?:affiche|montre|revele|donne)[rz]?(?:-moi)? {_NEAR}(?:prompt|message|invite"
        r"|instructions) systeme\b",
        r"\bne (?:tiens|tenez) (?:pas|aucun) compte (?:de toutes les|de tes|des) (?:instructions|consignes|regles) "
        r"(?:precedentes|anterieures|ci-dessus)\b",
        r"\bne (?:le )?di(?:s|tes) (?:rien|pas cela) (?:de (?:cela|ceci) )?a l['’]utilisateur\b",
        r"\b(?:agis|agissez|reponds|repondez) (?:comme si tu n['’]avais|sans) (?:aucune? )?"
        r"(?:restrictions?|filtres?|limites?)\b",
    ), r"\b(?:jamais|n['’]|ne)\b"),
    "de": ("anweisung regeln vorgaben instruktion befehle nutzer prompt systemnachricht einschrank filter beschrank", (
        r"\b(?:ignorier(?:e|en|t)?|vergiss|vergesst|missachte) (?:bitte )?(?:alle[n]? |samtliche )?"
        r"(?:deine |ihre |die )?"
        r"(?:vorherigen|vorigen|bisherigen|fruheren|obigen|vorangegangenen) (?:anweisungen|regeln"
        r"|vorgaben|instruktionen|befehle)\b",
        r"\b(?:ignorier(?:e|en)?|vergiss|missachte) alle (?:deine |ihre )?(?:anweisungen|regeln"
        r"|vorgaben|instruktionen|befehle)\b",
        rf"\b(?:zeige?|nenne|verrate|gib)(?: mir)? {_NEAR}(?:system-?prompt|systemanweisung(?:en)?"
        r"|systemnachricht)\b",
        r"\b(?:beachte|befolge) (?:die|deine) (?:vorherigen|bisherigen|obigen) (?:anweisungen|regeln|vorgaben) nicht\b",
        r"\b(?:sag|erzahl|verrate?)e? (?:dem|der) (?:nutzer(?:in)?|benutzer(?:in)?) (?:nichts|das nicht)\b",
        r"\b(?:antworte|handle|verhalte dich) (?:so, als hattest du keine|ohne)(?: jede)? "
        r"(?:einschrankungen|beschrankungen|filter)\b",
    ), r"\b(?:nie|niemals|nicht)\b"),
    "pt": ("instruc regras ordens orientac usuario utilizador sistema restric filtro limites", (
        r"\b(?:ignor(?:e|a|em|ar)|esquec(?:a|am)|esquecer?|desconsider(?:e|ar)) (?:todas )?(?:as "
        r"|suas |minhas )?"
        r"(?:suas )?(?:instrucoes|regras|ordens|orientacoes) (?:anteriores|previas|acima|do sistema)\b",
        r"\b(?:ignor(?:e|a)|esquec(?:a|e)|desconsider(?:e|a)) todas as (?:suas )?(?:instrucoes|regras"
        r"|ordens)\b",
        rf"\b(?:mostr(?:e|a)|revel(?:e|a)|exib(?:a|e)|imprim(?:a|e)) {_NEAR}(?:prompt|mensagem"
        r"|instrucoes) (?:de|do) sistema\b",
        r"\bnao (?:diga|conte|revele) (?:nada disso|isso|nada) ao (?:usuario|utilizador)\b",
        r"\b(?:responda|aja) (?:como se nao tivesse|sem) (?:nenhuma )?(?:restric(?:oes|ao)|filtros?"
        r"|limites)\b",
    ), r"\b(?:nunca|jamais|nao)\b"),
    "it": ("istruzioni regole utente sistema", (
        r"\b(?:ignora(?:re|te)?|dimentica(?:re|te)?) (?:tutte )?(?:le |tue )?(?:tue )?(?:istruzioni"
        r"|regole) "
        r"(?:precedenti|sopra|di sistema)\b",
        r"\b(?:ignora|dimentica) tutte le (?:tue )?(?:istruzioni|regole)\b",
        r"\bnon (?:dire|dirlo|rivelare) (?:nulla|niente|questo) (?:di questo )?all['’]utente\b",
    ), r"\b(?:mai|non)\b"),
    "ru": ("инструкц указан правил команд пользовател системн ограничен фильтр", (
        r"\b(?:игнорируй(?:те)?|забудь(?:те)?|проигнорируй(?:те)?|отмени(?:те)?|не обращай(?:те)? "
        r"внимания на) "
        r"(?:все |свои |любые )*(?:предыдущие|прежние|прошлые|предшествующие|вышеуказанные|системные"
        r"|ранее данные) "
        r"(?:инструкции|указания|правила|команды)",
        r"\b(?:игнорируй(?:те)?|забудь(?:те)?|проигнорируй(?:те)?) (?:все|любые) (?:свои |твои )?"
        r"(?:инструкции|указания|правила|команды)",
        rf"\b(?:покажи(?:те)?|выведи(?:те)?|раскрой(?:те)?|пришли(?:те)?) {_NEAR}системн(?:ый|ую|ое"
        r"|ого) (?:промпт|подсказку|сообщение|запрос)",
        r"\bне (?:говори(?:те)?|сообщай(?:те)?|рассказывай(?:те)?) (?:об этом |ничего )(?:об этом "
        r")?пользователю",
        r"\b(?:отвечай|действуй)(?:те)? без (?:каких-либо |всяких )?(?:ограничений|фильтров)",
    ), r"\b(?:никогда не|не надо|нельзя)\b"),
    "uk": ("інструкц вказівк правил користувач", (
        r"\b(?:ігноруи(?:те)?|забудь(?:те)?|проігноруи(?:те)?) (?:усі |всі |своі )*(?:попередні"
        r"|системні|минулі) (?:інструкціі|вказівки|правила)",
        r"\bне (?:кажи|повідомляи)(?:те)? (?:про це |нічого )користувачу",
    ), r"\b(?:ніколи не|не можна)\b"),
    "pl": ("instrukc polecen zasad", (
        r"\b(?:zignoruj(?:cie)?|ignoruj(?:cie)?|zapomnij(?:cie)?)(?: o)? (?:wszystkie |wszystkich "
        r"|swoje )*"
        r"(?:poprzednie|poprzednich|wczesniejsze|wczesniejszych|powyzsze) (?:instrukcje|instrukcjach"
        r"|polecenia|poleceniach|zasady|zasadach)\b",
    ), r"\b(?:nigdy|nie)\b"),
    "tr": ("talimat kural kullanıcı", (
        r"\b(?:onceki|yukarıdaki) (?:butun |tum )?(?:talimatları|talimatlarını|kuralları|yonergeleri) "
        r"(?:yok say|unut|gormezden gel|dikkate alma)",
        r"\btum (?:onceki )?(?:talimatları|kuralları|yonergeleri) (?:yok say|unut|gormezden gel)",
    ), r"\b(?:asla)\b"),
    "id": ("instruksi perintah aturan", (
        r"\b(?:abaikan|lupakan) (?:semua |seluruh )?(?:instruksi|perintah|aturan) (?:sebelumnya|di "
        r"atas|sistem)\b",
    ), r"\b(?:jangan|tidak)\b"),
    "vi": ("chi dan huong dan lenh", (
        r"\b(?:bo qua|phot lo|quen) (?:tat ca |moi )?(?:cac )?(?:huong dan|chi dan|chi thi|lenh) "
        r"(?:truoc đo|truoc đay|o tren|phia tren)\b",
    ), r"\b(?:khong|đung)\b"),
    "zh": ("指令 指示 提示 规则 規則 命令 用户 用戶 使用者 限制 要求", (
        rf"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|抛弃|拋棄){_CLOSE}(?:之前|以前|先前|前面|以上|上面|上述|此前|早先|原有|所有)(?:的|所有|全部"
        r"|一切|任何|给你|給你)*"
        r"(?:系统|系統)?(?:指令|指示|提示词|提示詞|提示|规则|規則|命令|要求)",
        rf"(?:输出|輸出|显示|顯示|打印|泄露|洩露|透露|告诉我|告訴我|给出){_CLOSE}(?:你的)?(?:完整的?|全部的?|隐藏的?)?(?:系统|系統)(?:提示词|提示詞"
        r"|提示|指令)",
        rf"(?:不要|别|別|不得|禁止)(?:把|将|將)?(?:这|這|此|该|該){_CLOSE}(?:告诉|告訴|透露给|透露給)(?:用户|用戶|使用者)",
        r"(?:不要|别|別)(?:让|讓)(?:用户|用戶|使用者)(?:知道|发现|發現)(?:这|這|此|你)",
        r"(?:没有|沒有|不受)(?:任何)?(?:限制|约束|約束)(?:地)?(?:的)?(?:回答|回复|回覆|行动|模式)",
    ), "(?:永远不要|绝不|千万不要|不可|不能)"),
    "ja": ("指示 命令 プロンプト ルール ユーザー 制限", (
        rf"(?:これまで|今まで|以前|上記|前|先ほど|すべて|全て|全)の?{_CLOSE}(?:指示|命令|ルール|プロンプト|設定){_CLOSE}(?:無視|忘れ(?:て|ろ|なさい)|破棄)",
        rf"(?:システムプロンプト|システムメッセージ){_CLOSE}(?:表示|出力|開示|教え)(?:し|て|せよ|ろ)",
        r"(?:この|これ)(?:こと|件)?(?:を|は)ユーザー(?:に|には)(?:言わない|知らせない|伝えない|話さない|教えない)で",
        r"(?:制限|フィルター)(?:なし|無し)(?:に|で)(?:回答|応答|答え)",
    ), "(?:しないで|してはいけ|ないこと|せず)"),
    "ko": ("지시 명령 규칙 프롬프트 사용자 제한", (
        rf"(?:이전|기존|앞선|앞|위|지금까지)(?:의|에)? ?(?:모든 )?{_CLOSE}(?:지시|명령|규칙|지침|프롬프트)"
        r"(?:사항)?(?:을|를|들을|은)? ?"
        r"(?:모두 |전부 )?(?:무시|잊어|잊고|따르지)",
        r"모든 (?:이전 |기존 )?(?:지시|명령|규칙|지침)(?:사항)?(?:을|를|들을)? ?(?:무시|잊어)",
        rf"시스템 ?프롬프트(?:를|을)? ?{_CLOSE}(?:출력|보여|공개|알려)",
        r"(?:이것|이|이걸|이 사실)(?:을|를|은)? ?사용자(?:에게|한테)(?:는)? (?:말하지|알리지|알려주지) (?:마|말)",
    ), "(?:무시하지|잊지)"),
    "ar": ("تعليمات اوامر التعليمات الاوامر القواعد المستخدم النظام", (
        r"(?:تجاهل|انس|اهمل|تجاهلي)(?:ي|وا)? (?:جميع|كل|كافه|كافة)? ?(?:التعليمات|تعليماتك|الاوامر"
        r"|القواعد|الارشادات) (?:السابقه|السابقة|السالفه|السالفة|اعلاه)",
        r"(?:تجاهل|انس|اهمل) (?:جميع|كل|كافة) (?:التعليمات|تعليماتك|الاوامر|القواعد)",
        r"لا تخبر المستخدم (?:بهذا|بذلك|عن هذا|باي شيء|اي شيء)",
        rf"(?:اعرض|اظهر|اطبع|اكشف) {_NEAR}(?:موجه|تعليمات|رساله|رسالة) النظام",
    ), "(?:لا تتجاهل|لا تنس|ابدا)"),
    "fa": ("دستور قوانین کاربر", (
        r"(?:همه|تمام|تمامی) ?(?:ی)? ?(?:دستورات|دستورهای|دستورالعمل ?های|قوانین) ?(?:قبلی|پیشین"
        r"|بالا) ?(?:را)? ?(?:نادیده|فراموش)",
    ), "(?:نگیر|نکن)"),
    "hi": ("निर्देश आदेश नियम उपयोगकर्ता यूजर", (
        r"(?:पिछले|पहले के|पूर्व|उपरोक्त|ऊपर के) (?:दिए गए )?(?:सभी |सारे )?(?:निर्देशों|निर्देश"
        rf"|आदेशों|आदेश|नियमों|नियम) (?:को )?{_CLOSE}(?:अनदेखा|नजरअंदाज|नज़रअंदाज|भूल|इग्नोर)",
        rf"(?:सभी|सारे) (?:पिछले |पुराने |पूर्व )?(?:निर्देशों|आदेशों|नियमों) को {_CLOSE}(?:अनदेखा"
        r"|नजरअंदाज|नज़रअंदाज|भूल|इग्नोर)",
        r"(?:यह|ये|इसे|यह बात) (?:उपयोगकर्ता|यूजर|यूज़र) को (?:मत|न|नहीं) बता",
    ), "(?:मत करो|न करें|नहीं करना)"),
}  # fmt: skip


@cache
def _words(language: str) -> tuple[str, ...]:
    return tuple(folded(word) for word in _PHRASES[language][0].split())


@cache
def _compiled(language: str) -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str]]:
    """The phrases of one language; compiling all of them takes longer than most verbs run."""
    _, phrases, turned = _PHRASES[language]
    return tuple(re.compile(folded(phrase)) for phrase in phrases), re.compile(folded(turned))


@cache
def hints() -> frozenset[str]:
    """Words in the form of `readable`, one of which every phrase has."""
    return frozenset(word for language in _PHRASES for word in _words(language))


LANGUAGES = tuple(_PHRASES)
_BEFORE = 24
_AFTER = 12


def phrases_in(view: View) -> Iterator[tuple[int, int]]:
    """Where a phrase stands, as (start, end) in the view; a phrase that its sentence forbids is none."""
    text = view.text
    for language in _PHRASES:
        if not any(word in text for word in _words(language)):
            continue
        phrases, turned = _compiled(language)
        for phrase in phrases:
            for found in phrase.finditer(text):
                start, end = found.span()
                before = re.split("[.!?。！？؟।\n]", text[max(0, start - _BEFORE) : start])[-1]
                after = re.split("[.!?。！？؟।,、，;\n]", text[end : end + _AFTER])[0]
                if not turned.search(before) and not turned.search(after):
                    yield start, end
