"""Abbreviated names of relations in full: "rpts_to" is "reports to", "dpty" is "deputy", "purch_dt" is "purchase date".

Columns of tables are often called so, and the encoder finds such names near to nothing. What is usual in tables is
listed; a longer word without its vowels is told by pyspellchecker's dictionary, where one word alone is likely.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from triplewise.tools.text.spelling.english import ENGLISH

_USUAL = """
acct account, addr address, affil affiliation, agt agent, amt amount, anml animal, app application, appr approved,
apprv approved, appt appointment, arr arrival, asgd assigned, asgn assigned, assgd assigned, assoc associate, asst
assistant, asstd assisted, attd attended, attnd attended, avg average, bal balance, bday birthday, bdgt budget, bhlf
behalf, bkd booked, bkg booking, bld blood, bldg building, blt built, brwr borrower, byr buyer, cand candidate, caus
cause, cert certificate, cfg configuration, chf chief, chkd checked, cmpl completed, cnt count, coll collected, cond
condition, constr construction, crit criticality, ctry country, cttee committee, cty city, cust customer, cvrs covers,
decl declared, deliv delivery, dep departure, dept department, desc description, dest destination, dim dimensions, dls
downloads, dlv delivery, dob date of birth, dpth depth, drvr driver, dsgn designer, dst destination, dt date, dur
duration, eff effective, empl employee, emplr employer, ep episode, eps episodes, eve evening, exmr examiner, feat
featuring, flgd flagged, fndr founder, freq frequency, frst first, func function, fup follow up, gbp pounds, grp
group, hd head, hldr holder, hlth health, hndl handles, hosp hospital, hr hour, hrs hours, ht height, incl includes,
ingr ingredient, insp inspected, instr instructor, insur insurance, inv invoice, iss issued, itm item, jnd joined, jnt
joint, kpr keeper, langs languages, ldr leader, len length, lic licence, lmt limit, loc location, lrnr learner, lvl
level, maint maintenance, matl material, max maximum, mbr member, mdl model, ment mentor, mfg manufacturing, mfr
manufacturer, mgd managed, mgmt management, mgr manager, mins minutes, mkr maker, mntr mentor, msg message, mstr
master, mth month, mths months, natl national, nbr number, nego negotiated, num number, nxt next, ofc office, ofcr
officer, opn open, opr operator, ord order, org organisation, orig origin, outc outcome, ownr owner, pct percent, phn
phone, pkd packed, pkg package, pmt payment, pos position, prc price, pref preferred, preq prerequisite, prev
previous, prin principal, prio priority, prod product, proj project, prsn person, ptnr partner, purch purchase, purp
purpose, pwr power, pymt payment, qty quantity, qual qualification, rcv received, rcvd received, recd received, recv
received, ref reference, reg registration, repl replaced, req required, resp responsible, rgn region, rlsd released,
rm room, rnk rank, rplcs replaces, rpt reports, rpts reports, rsn reason, rte route, sal salary, sched schedule, sgnd
signed, shpr shipper, skip skipper, spks speaks, src source, stk stock, stn station, subj subject, succ successor,
supp supplier, svc service, sz size, tchr teacher, tel telephone, temp temperature, thk thickness, tot total, trnd
trained, trnr trainer, ttl total, twn town, typ type, upd updated, usd dollars, usr user, veh vehicle, vis visits,
vndr vendor, vol volume, vsl vessel, warr warranty, wgt weight, wks weeks, wt weight, yr year, yrs years
"""
_FULL = {short: full for short, full in (entry.strip().split(maxsplit=1) for entry in _USUAL.split(","))}
_LEFT_ALONE = frozenset(["http", "https", "html", "xhtml", "xmpp"])
_SHORTEST = 4
"""Letters from which on a word without vowels is looked up."""
_OFTEN, _ALONE = 2_000, 4
"""How often a word must be met to be meant, and how much more often than the next one."""
_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=4096)
def in_full(words: str) -> str:
    """A relation's words with the abbreviated ones in full; others stay as they are."""
    return _WORD.sub(lambda found: _full(found[0].lower()) or found[0], words)


@lru_cache(maxsize=4096)
def _full(word: str) -> str:
    if full := _FULL.get(word):
        return full
    if len(word) < _SHORTEST or not word.isalpha() or any(c in "aeiou" for c in word[1:]) or word in _LEFT_ALONE:
        return ""
    if word in ENGLISH.frequency:
        return ""
    likely = sorted(((n, other) for n, other in _beginning().get(word[0], ()) if _shortens(word, other)), reverse=True)
    clear = likely and (len(likely) < 2 or likely[0][0] >= _ALONE * likely[1][0])
    return likely[0][1] if clear else ""


@cache
def _beginning() -> dict[str, list[tuple[int, str]]]:
    """First letter → words that are often met, with how often."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for word, n in ENGLISH.frequency.items():
        if n >= _OFTEN and word.isalpha():
            found[word[0]].append((n, word))
    return found


def _shortens(short: str, word: str) -> bool:
    """Whether one is a word without its vowels, and of doubled letters with one: "clsd" of "closed"."""
    return len(short) < len(word) <= 2 * len(short) + 2 and _consonants(short) == _consonants(word)


@lru_cache(maxsize=200_000)
def _consonants(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word[0] + re.sub("[aeiou]|c(?=k)", "", word[1:]))
