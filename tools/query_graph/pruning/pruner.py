"""All that takes candidates out before they are ranked, in its order: what is left may be meant, as far as words and
graph tell."""

from __future__ import annotations

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.idle_patterns import either_answer, of_difference, of_named
from triplewise.tools.query_graph.candidates.kin import Relatives
from triplewise.tools.query_graph.candidates.rows import of_rank
from triplewise.tools.query_graph.candidates.several import of_own_number, of_said_times
from triplewise.tools.query_graph.pruning.asked_kind import (
    asks_for_extreme,
    of_asked_kind,
    of_asked_person,
    of_asked_role,
)
from triplewise.tools.query_graph.pruning.asked_things.bought_things import of_bought_things
from triplewise.tools.query_graph.pruning.asked_things.called_by_relation import of_what_is_called_so
from triplewise.tools.query_graph.pruning.both_said import (
    of_all_clauses,
    of_both,
    of_described,
    of_either,
    of_joined_values,
    of_same_end,
    of_same_kind,
)
from triplewise.tools.query_graph.pruning.denials import (
    of_affirmed,
    of_denied_comparison,
    of_no_row,
    of_the_absent,
    of_what_is_avoided,
    taking_away,
)
from triplewise.tools.query_graph.pruning.idle.able_base import of_any_said, of_the_able
from triplewise.tools.query_graph.pruning.idle.asked_relation import of_asked_relation
from triplewise.tools.query_graph.pruning.idle.asked_value import of_asked_value
from triplewise.tools.query_graph.pruning.idle.conditions import of_both_values, of_said_conditions
from triplewise.tools.query_graph.pruning.idle.extremes import of_said_extremes
from triplewise.tools.query_graph.pruning.idle.had_before_but import of_what_is_had
from triplewise.tools.query_graph.pruning.idle.narrower import of_said_narrowness
from triplewise.tools.query_graph.pruning.idle.steps import of_said_steps, of_the_other
from triplewise.tools.query_graph.pruning.idle.told_ways import of_told_ways
from triplewise.tools.query_graph.pruning.idle.unsaid_kind import of_unsaid_kind
from triplewise.tools.query_graph.pruning.idle.widest_base import of_widest_base
from triplewise.tools.query_graph.pruning.idle.written_names import of_written_names
from triplewise.tools.query_graph.pruning.named_answers import besides_named, not_named
from triplewise.tools.query_graph.pruning.one_row import at_one_row
from triplewise.tools.query_graph.pruning.persons.homes import of_homes
from triplewise.tools.query_graph.pruning.persons.possessors import (
    of_beginning,
    of_having,
    of_owners,
    of_possessors,
    of_whose_role,
)
from triplewise.tools.query_graph.pruning.persons.siblings import of_siblings
from triplewise.tools.query_graph.pruning.quantities.counted_nouns import of_counted_noun, of_quantity
from triplewise.tools.query_graph.pruning.quantities.extreme_values import of_extreme_values
from triplewise.tools.query_graph.pruning.quantities.measures import has_asked_measure, of_asked_measure
from triplewise.tools.query_graph.pruning.quantities.money import (
    of_asked_money,
    of_own_price,
    of_paid_for,
    of_said_currency,
)
from triplewise.tools.query_graph.pruning.quantities.sizes import of_asked_size
from triplewise.tools.query_graph.pruning.quantities.totals import of_totals
from triplewise.tools.query_graph.pruning.row_ends import RowEnds
from triplewise.tools.query_graph.pruning.said_answers import of_forbidden, of_said_no, of_said_yes, of_undone
from triplewise.tools.query_graph.pruning.said_ends import of_said_ends, of_said_phrases
from triplewise.tools.query_graph.pruning.said_twice import not_in_two_ways, of_all_steps
from triplewise.tools.query_graph.pruning.spent_nouns import not_spent_twice
from triplewise.tools.query_graph.pruning.taking_part import of_attending, of_taking_part
from triplewise.tools.query_graph.pruning.times.former import of_told_time
from triplewise.tools.query_graph.pruning.times.last_one import of_last_one
from triplewise.tools.query_graph.pruning.times.own_dates import (
    of_age,
    of_own_dates,
    of_plain_how,
    of_recent,
    of_said_months,
    of_tied_dates,
    on_said_days,
)
from triplewise.tools.query_graph.pruning.whole_denials import of_denied_relation, of_whole_denials
from triplewise.tools.query_graph.schema_view import SchemaView

_OF_QUESTIONS = (
    of_said_phrases,
    of_asked_value,
    of_written_names,
    of_what_is_avoided,
    of_the_absent,
    of_affirmed,
    of_no_row,
    besides_named,
    taking_away,
    of_what_is_had,
    of_widest_base,
    of_the_able,
    of_any_said,
    of_whole_denials,
    of_denied_relation,
    not_named,
    of_said_times,
    of_own_number,
    of_said_no,
    of_said_yes,
    of_undone,
    of_forbidden,
    at_one_row,
    of_owners,
    of_having,
    of_whose_role,
    of_beginning,
    of_said_months,
    on_said_days,
    of_own_dates,
    of_extreme_values,
    of_plain_how,
    of_recent,
    of_last_one,
    of_age,
    of_tied_dates,
    of_both,
    of_either,
    of_joined_values,
    of_all_clauses,
    of_described,
    of_asked_measure,
    of_asked_money,
    of_paid_for,
    of_own_price,
    of_both_values,
    of_said_conditions,
    of_said_extremes,
    of_asked_size,
    of_quantity,
    of_counted_noun,
    of_said_steps,
    of_the_other,
    of_unsaid_kind,
    of_told_ways,
    of_asked_relation,
    of_bought_things,
    of_what_is_called_so,
)
"""What only questions are pruned by; a claim of an end or of a price is judged by the graph."""


class Pruner:
    """Prunes the candidates of sentences over one graph."""

    def __init__(self, schema: SchemaView, row_ends: RowEnds) -> None:
        self.schema, self.row_ends = schema, row_ends

    def kept(self, sentence: Sentence, task: str, drafts: list[Draft]) -> list[Draft]:
        """The drafts that may be meant; each step keeps all where it would keep none."""
        schema, persons = self.schema, self.row_ends.persons
        drafts = Relatives(schema, sentence).through(drafts, claim=task != "ask")
        drafts = of_difference([d for d in drafts if not either_answer(schema, d)] or drafts)
        if task == "ask":
            drafts = of_named(sentence, of_totals(schema, persons, sentence, drafts))
            for prune in _OF_QUESTIONS:
                drafts = prune(schema, sentence, drafts)
            drafts = of_homes(schema, persons, sentence, of_possessors(schema, persons, sentence, drafts))
            drafts = self.row_ends.of_one_table(sentence, drafts)
            drafts = self.row_ends.of_persons(sentence, of_asked_person(schema, persons, sentence, drafts))
        else:
            drafts = of_same_end(sentence, of_denied_comparison(schema, sentence, drafts))
            drafts = of_siblings(schema, sentence, drafts)
        drafts = of_told_time(schema, sentence, drafts)
        drafts = of_said_currency(schema, sentence, of_all_steps(sentence, not_in_two_ways(sentence, drafts)))
        drafts = not_spent_twice(schema, sentence, of_rank(schema, sentence, drafts))
        drafts = of_taking_part(schema, sentence, of_same_kind(schema, sentence, drafts))
        drafts = of_said_narrowness(schema, sentence, of_attending(schema, sentence, drafts))
        drafts = self._of_asked_kind(sentence, drafts)
        return of_said_ends(schema, sentence, of_asked_role(schema, sentence, drafts))

    def rivals(self, sentence: Sentence, task: str, drafts: list[Draft]) -> list[Draft]:
        """The drafts that only a word rules out in favour of others, to which they leave what they are thought of:
        one step to a boss speaks for two to the boss's boss, and no more for none."""
        left = of_all_steps(sentence, drafts)
        if task == "ask" and has_asked_measure(self.schema, sentence, left):
            left = of_asked_measure(self.schema, sentence, left)
        if task == "ask":
            for prune in (
                of_said_phrases,
                of_extreme_values,
                of_asked_money,
                of_having,
                of_paid_for,
                of_own_price,
                of_asked_size,
                of_counted_noun,
                of_said_steps,
            ):
                left = prune(self.schema, sentence, left)
            left = self.row_ends.of_one_table(sentence, left)
        if task == "ask" and asks_for_extreme(self.schema, sentence):
            left = self._of_asked_kind(sentence, left)
        kept = set(map(id, left))
        return [d for d in drafts if id(d) not in kept]

    def _of_asked_kind(self, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
        """The drafts that answer with what is asked for, and those that end at rows which will be led on to it."""
        fitting = set(map(id, of_asked_kind(self.schema, self.row_ends.persons, sentence, drafts)))
        asked = self.row_ends.asked(sentence) if len(fitting) < len(drafts) else None
        return [d for d in drafts if id(d) in fitting or (asked and self.row_ends.led_on(asked, d))]
