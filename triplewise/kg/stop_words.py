"""Everyday words of questions and claims that name an entity only where they are written as it is."""

from __future__ import annotations

_STOP = """
    a about act acted actor actors after all also an and are as at author authors award awards be been before being
    born but by can city co could country created creator creators describe described did died directed director
    directors do does done during each either film films first for from genre genres get give given had has have he
    her hers him his how i if in into is it its just kind know language languages last like list listed lived lives
    made main make many me more most movie movies much must my name named near neither no nor not of off old on one
    only or other our out over own people person play played plays primary release released s said same say
    screenplay screenwriter script she should show shows so some star starred starring stars story such t tell than
    that the their theirs them then there these they this those through time to together too topic topics two type
    types under up us used was we well were what when where which while who whom whose why will win with within
    without won words work worked works would writer writers written wrote year years yes yet you your
"""
STOP_WORDS = frozenset(_STOP.split())
"""Words that carry a question. Linked only where they are capitalised inside the sentence, as the label is."""

_COMMON = """
    able above ago air alone along always among area army art away baby back bad ball band bank bar base beach best
    better big bird black blood blue boat body book books box boy boys break bridge bring brother brown build bus
    business call called came camp capital car card care case cast center centre century change child children
    church class clear club cold come common company cost couple course court cover crime cross cut dad dance dark
    date daughter day days dead deal dear death deep dog dogs door down dream drive early earth east easy eat edge
    else end enemy even ever every eye eyes face fact fair fall family far fast father feel few field fight final
    find fire fish five floor food foot form former found four free friend friends front full game games garden
    gave general girl girls god goes gold gone good great green ground group grow guard guest guy half hall hand
    hands happy hard head hear heart held help here hero hidden high hill hold home hope horse hospital hot hour
    hours house human hundred ice idea inside instead island job join journey keep key kids kill king lady lake land
    large late later law lead leader league learn least leave left less letter level life light line lion little
    local long look lord lost lot love low lunch major male man mark market married master match mean meet member
    men middle mind mine minor miss model modern money month moon morning mother mountain move music near need
    network never new news next nice night nine north note nothing number numbers ocean office often oil older open
    order outside page paid paper park part party past path peace pick picture piece place plan point police poor
    position possible post power present president price prince private public pull put queen question quick quiet
    race radio rain rate reach read ready real red region relative rest rich ride right ring rise river road rock
    role room round royal rule run safe sale save school science sea season second secret see seem self sell send
    series service set seven several shadow ship shop short shot sick side sign silver simple since sing single
    sister site six size skin sky slow small snow society soft sold soldier something son song songs soon sort soul
    sound south space speak special sport stage stand start state station stay step still stone stop storm strange
    stranger street strong student style subject summer sun sure system table take talk tall teacher team ten test
    text thing things thirteen three today told took tour town track train travel tree trial trip true trust truth
    turn twelve twenty twice uncle union unit university upon usual valley very view village visit voice vote wait
    walk wall want war warm watch water way wear weather week west white whole wide wife wild wind winter wish
    woman women wonder wood word world wrong yard yellow young zero
"""
COMMON_WORDS = frozenset(_COMMON.split())
"""Frequent words. A single one is linked only where it is written as the label is."""
