"""What people say before they ask: "ok, remind me, …"."""

LEAD = (
    r"^\W*(?:(?:and|so|but|ok|okay|right|now|then|hi|hiya|hello|hey|oh|well|er|erm|sorry|please|love|dear|"
    r"remind me|tell me|do you know|(?:can|could) you (?:tell|remind) me|i (?:just )?(?:need|want) to know|"
    r"i can['’]?t remember|i forget|(?:adding|tot(?:ting)?) (?:it|them|that)?(?: all)? up|all in all|all told)\b\W*)*"
)
"""The start of a pattern: such words, any number of them, from the beginning of the sentence on."""
