from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from assistant.evaluation import metrics

ITEMS = st.sampled_from("abcdefgh")
RANKINGS = st.lists(ITEMS, unique=True)
GOLD = st.sets(ITEMS, min_size=1)
GRADES = st.dictionaries(ITEMS, st.integers(-1, 4), max_size=5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Up to 2.4times faster", "up to 2.4× faster"),
        ("2.4 times", "2.4x"),
        (r"$2.4\times$", "$2.4x$"),
        (r"97\%", "97%"),
        ("1,024 GPUs", "1024 gpus"),
        ("1,234,567", "1234567"),
        ("state–of—the‑art", "state-of-the-art"),
        ("−3 dB", "-3 dB"),
        ("**2.4x** faster", "2.4x faster"),
        ("two\n\t words", "two words"),
    ],
)
def test_fold_makes_equal_what_the_contract_calls_equal(one: str, other: str) -> None:
    assert metrics.fold(one) == metrics.fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("2.4", "24"), ("1,2", "12"), ("97%", "97"), ("many times", "manyx"), ("2.4 timesteps", "2.4xteps")],
)
def test_fold_keeps_apart_what_differs(one: str, other: str) -> None:
    assert metrics.fold(one) != metrics.fold(other)


@given(st.text())
def test_fold_is_settled_after_one_pass_but_for_what_stars_and_commas_hid(text: str) -> None:
    folded = metrics.fold(text)
    assert not set(folded) & set("*\\×\n\t–")
    assert "  " not in folded


def test_must_counts_entries_with_any_variant_found() -> None:
    text = "PIT reaches **5.9×** over 1,024 GPUs."
    assert metrics.must_part([["5.9x", "590%"], ["1024"]], text) == 1.0
    assert metrics.must_part([["5.9x"], ["2048"], ["A100", "V100"]], text) == pytest.approx(1 / 3)


def test_found_in_names_the_variants_that_are_there() -> None:
    assert metrics.found_in(["EfficientFormerV2", "54.2"], "efficientformerv2 has 541") == [
        "EfficientFormerV2"
    ]


def test_markers_are_read_in_order_with_repeats() -> None:
    assert metrics.markers("A [2]. B [1][2], not [x] or [1, 2].") == [2, 1, 2]


@pytest.mark.parametrize(
    ("cited", "gold", "optional", "precision", "recall"),
    [
        (["a"], ["a"], [], 1.0, 1.0),
        (["a", "b"], ["a"], [], 0.5, 1.0),
        (["a", "b"], ["a"], ["b"], 1.0, 1.0),
        (["b"], ["a"], ["b"], 1.0, 0.0),
        (["a", "x", "y", "z"], ["a", "b"], ["y"], 0.5, 0.5),
        ([], ["a"], ["b"], 0.0, 0.0),
        (["a", "a", "x"], ["a"], [], 0.5, 1.0),
    ],
)
def test_citations_by_hand(
    cited: list[str], gold: list[str], optional: list[str], precision: float, recall: float
) -> None:
    assert metrics.citation_precision(cited, gold, optional) == precision
    assert metrics.citation_recall(cited, gold) == recall


def test_ranking_by_hand() -> None:
    ranking, gold = ["x", "a", "y", "b"], {"a", "b", "c"}
    assert metrics.recall_at_k(ranking, gold, 2) == pytest.approx(1 / 3)
    assert metrics.recall_at_k(ranking, gold, 20) == pytest.approx(2 / 3)
    assert metrics.hit_at_k(ranking, gold, 1) == 0.0
    assert metrics.hit_at_k(ranking, gold, 2) == 1.0
    assert metrics.reciprocal_rank(ranking, gold) == 0.5
    assert metrics.average_precision(ranking, gold) == pytest.approx((1 / 2 + 2 / 4) / 3)


def test_ndcg_by_hand() -> None:
    # Grades 3, 2, 3, 0, 1, 2 in this order, a fourth paper of grade 3 not found.
    grades = {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2, "g": 3}
    gained = 7 / 1 + 3 / math.log2(3) + 7 / 2 + 0 + 1 / math.log2(6) + 3 / math.log2(7)
    best = 7 / 1 + 7 / math.log2(3) + 7 / 2 + 3 / math.log2(5) + 3 / math.log2(6) + 1 / math.log2(7)
    assert metrics.ndcg_at_k(list("abcdef"), grades) == pytest.approx(gained / best)


def test_ndcg_looks_at_k_ranks_and_no_more() -> None:
    grades = dict.fromkeys("abc", 1)
    assert metrics.ndcg_at_k(["x", "a", "b"], grades, 1) == 0.0
    assert metrics.ndcg_at_k(["a", "x", "b"], grades, 1) == 1.0


@given(RANKINGS, GRADES, st.integers(1, 8))
def test_ndcg_is_the_share_of_the_best_order(ranking: list[str], grades: dict[str, int], k: int) -> None:
    def gain(order: tuple[str, ...]) -> float:
        return sum((2 ** max(grades[i], 0) - 1) / math.log2(rank + 2) for rank, i in enumerate(order[:k]))

    best = max(gain(order) for order in permutations(grades))
    mine = sum(
        (2 ** max(grades.get(item, 0), 0) - 1) / math.log2(rank + 2) for rank, item in enumerate(ranking[:k])
    )
    assert metrics.ndcg_at_k(ranking, grades, k) == pytest.approx(mine / best if best else 0.0)


@given(RANKINGS, GOLD, st.integers(1, 8))
def test_ranking_metrics_agree_with_each_other(ranking: list[str], gold: set[str], k: int) -> None:
    recall = metrics.recall_at_k(ranking, gold, k)
    assert 0.0 <= recall <= metrics.recall_at_k(ranking, gold, k + 1) <= 1.0
    assert metrics.hit_at_k(ranking, gold, k) == float(recall > 0)
    rank = metrics.reciprocal_rank(ranking, gold)
    assert (rank >= 1 / k) == (recall > 0)
    precisions = [
        len(set(ranking[: at + 1]) & gold) / (at + 1) for at, item in enumerate(ranking) if item in gold
    ]
    assert metrics.average_precision(ranking, gold) == pytest.approx(sum(precisions) / len(gold))
    assert (metrics.average_precision(ranking, gold) == 1.0) == (set(ranking[: len(gold)]) == gold)


def test_figures_are_the_free_standing_numbers() -> None:
    text = "It is 2.4x faster on 1,024 A100 GPUs [1], 97.3 % of FP8 peak, ResNet-50 with v2.1"
    assert metrics.figures(text) == ["2", "1024", "97.3", "50"]


def test_figures_found_looks_for_each_in_the_source() -> None:
    assert metrics.figures_found("1,024 GPUs reach 54.2 % [2]", "on 1024 gpus: 55.2%") == [True, False]


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_a_percentile_has_its_share_of_values_below_it(values: list[float], share: float) -> None:
    value = metrics.percentile(values, share)
    assert value in values
    below = sum(v < value for v in values)
    assert below <= share * len(values) <= len(values)
    assert sum(v <= value for v in values) >= share * len(values) or share == 1.0


def test_percentiles_by_hand() -> None:
    assert [metrics.percentile([4, 1, 3, 2], share) for share in (0.0, 0.5, 0.95, 1.0)] == [1, 3, 4, 4]
    with pytest.raises(ValueError, match="no values"):
        metrics.percentile([], 0.5)


def test_the_mean_of_nothing_is_none() -> None:
    assert metrics.mean([]) is None
    assert metrics.mean([1.0, 0.0]) == 0.5


@given(RANKINGS, st.dictionaries(ITEMS, st.integers(0, 3), min_size=1).filter(lambda g: any(g.values())))
def test_ranking_metrics_equal_those_of_trec_eval(ranking: list[str], grades: dict[str, int]) -> None:
    measures = {"recall_5", "success_1", "recip_rank", "map"}
    scores = {item: 1.0 - place / 100 for place, item in enumerate(ranking)}
    # trec_eval gives nothing for a question without a ranking.
    scores = scores or {"nothing": 1.0}
    judge = pytrec_eval.RelevanceEvaluator({"q": grades}, measures)
    theirs = judge.evaluate({"q": scores})["q"]
    gold = [item for item, grade in grades.items() if grade > 0]
    assert metrics.recall_at_k(ranking, gold, 5) == pytest.approx(theirs["recall_5"])
    assert metrics.hit_at_k(ranking, gold, 1) == pytest.approx(theirs["success_1"])
    assert metrics.reciprocal_rank(ranking, gold) == pytest.approx(theirs["recip_rank"])
    assert metrics.average_precision(ranking, gold) == pytest.approx(theirs["map"])
    # trec_eval's gain is the grade itself, ours 2^grade - 1.
    gains = {item: 2**grade - 1 for item, grade in grades.items()}
    judge = pytrec_eval.RelevanceEvaluator({"q": gains}, {"ndcg_cut_10"})
    theirs = judge.evaluate({"q": scores})["q"]
    assert metrics.ndcg_at_k(ranking, grades, 10) == pytest.approx(theirs["ndcg_cut_10"])


def _holding(text: dict[str, set[str]], wanted: set[str]) -> Callable[[Sequence[str]], bool]:
    """A judge to whom sources support a sentence when they have all facts that it wants, taken together."""
    return lambda sources: wanted <= set().union(*(text[one] for one in sources))


@pytest.mark.parametrize(
    ("cited", "wanted", "recall", "precision"),
    [
        ([], {"a"}, 0.0, []),
        (["one"], {"a"}, 1.0, [1.0]),
        (["one"], {"b"}, 0.0, [0.0]),
        # Both are needed.
        (["one", "two"], {"a", "b"}, 1.0, [1.0, 1.0]),
        # The second adds nothing, and doesn't support it alone.
        (["one", "two"], {"a"}, 1.0, [1.0, 0.0]),
        # Either would do.
        (["one", "both"], {"a"}, 1.0, [1.0, 1.0]),
        (["one", "both"], {"a", "b"}, 1.0, [0.0, 1.0]),
        # Together they don't support it, so that none counts.
        (["one", "two"], {"c"}, 0.0, [0.0, 0.0]),
    ],
)
def test_citation_support_by_hand(
    cited: list[str], wanted: set[str], recall: float, precision: list[float]
) -> None:
    text = {"one": {"a"}, "two": {"b"}, "both": {"a", "b"}}
    assert metrics.citation_support(cited, _holding(text, wanted)) == (recall, precision)


@pytest.mark.parametrize(
    ("right", "answered", "refused", "f1"),
    [(8, 2, 0, 16 / 18), (8, 0, 4, 16 / 20), (0, 5, 0, 0.0), (0, 0, 3, 0.0), (5, 0, 0, 1.0), (0, 0, 0, None)],
)
def test_refusal_f1_by_hand(right: int, answered: int, refused: int, f1: float | None) -> None:
    assert metrics.refusal_f1(right, answered, refused) == (f1 if f1 is None else pytest.approx(f1))


def test_figures_are_exact_digit_by_digit() -> None:
    text = "It is up to **5.90×** faster on 1,024 GPUs than v2 [3]."
    assert metrics.figures_exact(text, "5.9x on 1024 GPUs, 3 runs") == [True, True, False]
    assert metrics.figures_exact(text, "59") == [False]
    assert metrics.figures_exact(text, "no figure") == []
