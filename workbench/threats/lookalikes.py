"""Letters of other alphabets that look like one of the English alphabet, by the letter they look like.

Made by `python -m tests.tools.lookalikes` from confusables.txt of the Unicode security data, which is
copyright Unicode, Inc. and used under the Unicode licence (https://www.unicode.org/license.txt); not edited by hand.
"""

from __future__ import annotations

LOOKALIKES: dict[str, str] = {
    "a": "\u0251\u0391\u03b1\u0410\u0430\u13aa\u15c5\ua4ee\uab7a\U000102a0\U00016f40",
    "b": (
        "\u0184\u0185\u0392\u03b2\u0412\u042c\u0432\u044c\u13cf\u13f4\u13fc\u1472\u15af\u15f7"
        "\ua4d0\ua7b4\ua7b5\uab9f\U00010282\U000102a1\U00010301"
    ),
    "c": ("\u0421\u0441\u13df\u1d04\u2ca4\u2ca5\ua4da\uabaf\U000102a2\U00010302\U00010415\U0001043d\U0001051c"),
    "d": "\u0501\u13a0\u13e7\u146f\u15de\u15ea\ua4d2\ua4d3\uab70\uabb7",
    "e": (
        "\u0395\u03b5\u0415\u0435\u04bd\u13ac\u2d39\ua4f0\uab32\uab7c\U00010286\U000118a6\U000118ae\U000118c6\U000118ce"
    ),
    "f": ("\u03dc\u03dd\u0584\u15b4\u1e9d\ua4dd\ua798\ua799\uab35\U00010287\U000102a5\U00010525\U000118a2\U000118c2"),
    "g": "\u018d\u0261\u050c\u050d\u0581\u13c0\u13f3\u13fb\u1d83\ua4d6\uab90",
    "h": ("\u0397\u03b7\u041d\u043d\u04bb\u0570\u13bb\u13c2\u157c\u2c8e\u2c8f\ua4e7\uab8b\uab92\U000102cf"),
    "i": ("\u0131\u0196\u0269\u026a\u0399\u03b9\u0406\u0456\u04c0\u04cf\u13a5\ua647\uab75\U000118a3\U000118c3"),
    "j": "\u029d\u037f\u03f3\u0408\u0458\u13ab\u148d\ua4d9\ua7b2\uab7b",
    "k": "\u039a\u03ba\u041a\u043a\u13e6\u16d5\u2c94\u2c95\ua4d7\uabb6\U00010518",
    "l": (
        "\u01c0\u13de\u14aa\u16c1\u2c92\u2c93\u2cd0\u2cd1\u2d4f\ua4e1\ua4f2\uabae\U0001028a\U00010309"
        "\U0001041b\U00010443\U00010526\U000118b2\U000118d2\U00016f16\U00016f28"
    ),
    "m": ("\u039c\u03bc\u03fa\u03fb\u041c\u043c\u13b7\u15f0\u16d6\u2c98\u2c99\ua4df\uab87\U000102b0\U00010311"),
    "n": "\u0578\u057c\u2c9a\u2c9b\ua4e0\U00010513",
    "o": (
        "\u039f\u03bf\u03c3\u041e\u043e\u0555\u0585\u0b20\u0d20\u101d\u10ff\u12d0\u1d0f\u1d11"
        "\u2c9e\u2c9f\u2d54\ua4f3\uab3d\U00010292\U000102ab\U00010404\U0001042c\U000104c2\U000104ea\U00010516\U000118b5\U000118c8"
        "\U000118d5\U000118d7"
    ),
    "p": "\u03a1\u03c1\u0420\u0440\u13e2\u146d\u2ca2\u2ca3\ua4d1\uabb2\U00010295",
    "q": "\u051b\u0563\u0566\u2d55",
    "r": (
        "\u01a6\u0280\u0433\u13a1\u13d2\u1587\u1d26\u2c85\ua4e3\uab47\uab48\uab71\uab81\uaba2"
        "\U000104b4\U000104dc\U00016f35"
    ),
    "s": (
        "\u01bd\u0405\u0455\u054f\u057f\u13d5\u13da\ua4e2\ua731\uaba5\uabaa\U00010296\U00010420\U00010448"
        "\U000118c1\U00016f3a"
    ),
    "t": ("\u03a4\u03c4\u0422\u0442\u13a2\u2ca6\u2ca7\ua4d4\uab72\U00010297\U000102b1\U00010315\U00016f0a"),
    "u": (
        "\u028b\u03a5\u03c5\u054d\u057d\u1200\u144c\u1d1c\ua4f4\ua79f\uab4e\uab52\U000104ce\U000104f6"
        "\U000118b8\U000118d8\U00016f42"
    ),
    "v": (
        "\u039d\u03bd\u0474\u0475\u13d9\u142f\u1d20\u2d38\ua4e6\ua6df\uaba9\U0001051d\U00011706\U000118a0"
        "\U000118c0\U00016f08"
    ),
    "w": ("\u026f\u0461\u051c\u051d\u0561\u13b3\u13d4\u1d21\ua4ea\uab83\uaba4\U0001170a\U0001170e\U0001170f"),
    "x": (
        "\u03a7\u03c7\u0425\u0445\u1541\u157d\u16b7\u2cac\u2cad\u2d5d\ua4eb\ua7b3\uab53\U00010290"
        "\U000102b4\U00010317\U00010527"
    ),
    "y": (
        "\u0263\u028f\u03b3\u0423\u0443\u04ae\u04af\u10e7\u13a9\u13bd\u1d8c\u1eff\u2ca8\u2ca9"
        "\ua4ec\uab5a\uab79\uab8d\U000102b2\U000118bc\U000118dc\U00016f43"
    ),
    "z": "\u0396\u03b6\u13c3\u1d22\ua4dc\uab93\U000118a4\U000118a9\U000118c4\U000118c9",
}
