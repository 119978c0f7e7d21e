"""Which questions lean on the talk before them, and how they read without it."""

from __future__ import annotations

import pytest

from assistant.answer import Turn
from assistant.followup import resolve, sets_side_by_side, speaks_of_another, speaks_of_several, standalone

BEFORE = "How does C4 steer traffic around congestion?"


def earlier(text: str, *, names_paper: bool = False) -> tuple[str, ...]:
    leans, _ = standalone(text, [Turn("user", BEFORE)], names_paper=names_paper, names_other=False)
    return leans


@pytest.mark.parametrize(
    "text",
    [
        "and on A100?",
        "why?",
        "why not use RDMA?",
        "what about memory",
        "how about small clusters?",
        "any others?",
        "compare it with C4",
        "yes, compare them",
        "how does the second one differ?",
        "does it need retraining?",
        "who wrote that?",
        "is that faster than the usual library?",
        "what did they measure it on?",
        "ok, and the latency?",
        "how many GPUs?",
        "which of those is the fastest?",
        "how much does that save?",
        "the first one please",
        "what else do they propose",
        "on how many machines did they test this?",
        "was it better there?",
        "does that hold for small models too?",
        "no, the other one",
        "no, I meant the graph one. what does it save in time and mem?",
        "which new measure did the one on HELM bring in, and how far down can the compute go?",
        "but doesn't rerouting traffic slow the whole training run down on a busy cluster?",
        "what is its licence",
        "their limits?",
        "who else is on this paper",
        "cost?",
    ],
)
def test_it_leans_on_the_talk(text: str) -> None:
    assert earlier(text) == (BEFORE,)


@pytest.mark.parametrize(
    "text",
    [
        "how many GPUs was it run on?",
        "on which GPU?",
        "how long does it take on OPT-175B?",
        "how fast is it on H100?",
    ],
)
def test_a_name_that_is_no_papers_own_leaves_the_pronoun_to_the_talk(text: str) -> None:
    leans, _ = standalone(text, [Turn("user", BEFORE)], names_paper=False, names_other=True)
    assert leans == (BEFORE,)


@pytest.mark.parametrize("text", ["which one has the higher gain?", "which of them is faster", "compare"])
def test_it_sets_side_by_side(text: str) -> None:
    assert sets_side_by_side(text)
    assert speaks_of_several(text)


@pytest.mark.parametrize(
    ("text", "names_paper"),
    [
        ("Is there a paper on honey bees?", False),
        ("Are there surveys about mixture of experts?", False),
        ("systems that run language models on phones", False),
        ("which papers train models that fit into a phone's memory?", False),
        ("How does PIT keep its tiles dense?", True),
        ("what is the smallest network that still reaches 75% on ImageNet?", False),
        ("who proposed the lottery ticket hypothesis", False),
        ("Which works show that random pruning is enough?", False),
        ("How do experts in a mixture learn their tasks?", False),
        ("what speedup does SuperScaler claim over the systems before it?", True),
        ("how can machines fine-tune an LM together while exchanging only a byte or so per step?", False),
        ("list all papers about federated learning", False),
        ("how many of these papers use reinforcement learning on robots?", False),
        ("Does Fuyou train models that are larger than the GPU's memory?", True),
        ("why do mixture-of-experts models collapse to a few experts that do all the work?", False),
        ("who has shown that attention can be computed in 4 bits?", False),
        ("ok, which papers deal with federated learning on phones and watches?", False),
        ("So how is an image classifier pruned before training starts?", False),
        ("Explain how Reformer uses hashing", True),
    ],
)
def test_a_new_topic_isn_t_dragged_back(text: str, names_paper: bool) -> None:
    assert earlier(text, names_paper=names_paper) == ()


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        (
            "ok different topic: graphs that change, who deals with that",
            "graphs that change, who deals with that",
        ),
        ("switching to agents: what was it trained on?", "agents: what was it trained on?"),
        ("Something else - bees?", "bees?"),
        ("a different topic", "a different topic"),
    ],
)
def test_the_words_of_a_turn_are_dropped(text: str, focus: str) -> None:
    assert standalone(text, [Turn("user", BEFORE)], names_paper=False, names_other=False) == ((), focus)


def test_it_looks_back_at_two_questions_and_at_no_answer() -> None:
    asked = [f"how do honey bees number {place} find flowers?" for place in "123"]
    talk = [Turn(role, words) for words in asked for role in ("user", "assistant")]
    leans, own = standalone("and then?", [*talk, Turn("user", "  ")], names_paper=False, names_other=False)
    assert (leans, own) == (tuple(asked[1:]), "and then?")


def test_it_looks_back_further_where_those_lean_too() -> None:
    asked = ["What is PIT?", "how does the C4 network steer traffic around?", "who wrote it?", "why?"]
    talk = [Turn("user", words) for words in asked]
    leans, _ = standalone("and then?", talk, names_paper=False, names_other=False)
    assert leans == tuple(asked[1:])


def test_nothing_leans_on_an_empty_talk() -> None:
    assert standalone("and then?", [], names_paper=False, names_other=False) == ((), "and then?")


@pytest.mark.parametrize(
    ("text", "names", "resolved"),
    [
        ("How fast is it?", ["PIT"], "How fast is PIT?"),
        ("and its memory?", ["PIT"], "and PIT's memory?"),
        ("compare them", ["PIT", "TVM"], "compare PIT and TVM"),
        ("and on A100?", ["PIT"], "and on A100? (PIT)"),
        ("How fast is it?", [], "How fast is it?"),
    ],
)
def test_names_take_the_pronoun_s_place(text: str, names: list[str], resolved: str) -> None:
    assert resolve(text, names) == resolved


def test_several_and_another() -> None:
    assert speaks_of_several("compare them")
    assert speaks_of_several("what do both share?")
    assert not speaks_of_several("how fast is it?")
    assert speaks_of_another("and their later one, on how many cards?")
    assert speaks_of_another("any others?")
    assert not speaks_of_another("how fast is it?")
