"""A claim's own number at the start of its text, and the words that number claims: `1.`, `Claim 1 (original):`."""

import re

WORD = "patent ?claim|claim|patentanspruch|anspruch|revendication|пункт|п\\.|权利要求|權利要求|請求項|请求项"

# American amendments carry a status that is no part of the claim.
_STATUS = r"\((?:original|new|(?:currently |previously |once |twice )?(?:amended|presented)|withdrawn)[^()]{0,40}\)"
# `权利要求1、2` is a reference, so that a word needs a sign which no list of numbers has.
_LABEL = re.compile(
    rf"\s{{0,8}}(?:【[^】]{{1,12}}】|(?:\d{{1,4}}\s{{1,4}})?[\[(]?(?:{WORD})\s?\d{{1,4}}\s?(?:{_STATUS}\s?[.:：]?|[.:：)\]])"
    rf"|\(?\d{{1,4}}\s?[-.):、．]{{1,2}}(?!\d)(?:\s?{_STATUS})?|)\s{{0,8}}"
)


def label_end(folded: str) -> int:
    """Where the claim proper begins, in a text in lower case."""
    found = _LABEL.match(folded)
    return found.end() if found else 0
