"""Bootstrap intervals: their coverage, their pairing, and that they are the same at every run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evaluation.intervals import Interval, draws, interval, percentile_interval, samples
from assistant.evaluation.metrics import percentile

QUESTIONS = st.lists(st.lists(st.floats(0, 1), max_size=3).map(lambda v: {"m": v}), min_size=1, max_size=12)


def test_each_sample_draws_as_many_questions_as_there_are() -> None:
    drawn = draws(7)
    assert drawn.shape == (2000, 7)
    assert (drawn.sum(axis=1) == 7).all()
    assert drawn is draws(7)


@given(QUESTIONS)
def test_a_sample_is_the_mean_over_the_questions_drawn(questions: list[dict[str, list[float]]]) -> None:
    found = samples(questions, "m")
    if sum(bool(one["m"]) for one in questions) < 2:
        assert np.isnan(found).all(), "one question says nothing of others"
        return
    for counts, value in list(zip(draws(len(questions)), found, strict=True))[:20]:
        pooled = [v for count, one in zip(counts, questions, strict=True) for v in one["m"] * int(count)]
        assert np.isnan(value) if not pooled else value == pytest.approx(np.mean(pooled))


def test_the_interval_of_a_share_is_that_of_the_binomial() -> None:
    questions = [{"m": [float(number < 60)]} for number in range(100)]
    found = interval(samples(questions, "m"))
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(0.5, abs=0.02), pytest.approx(0.7, abs=0.02))


def test_the_same_questions_are_drawn_for_both_of_two_runs() -> None:
    before = [{"m": [float(number % 2)]} for number in range(40)]
    now = [{"m": [one["m"][0] + 0.25]} for one in before]
    difference = samples(now, "m") - samples(before, "m")
    assert interval(difference) == Interval(pytest.approx(0.25), pytest.approx(0.25))  # type: ignore[arg-type]


def test_a_figure_that_few_samples_have_gets_no_interval() -> None:
    assert interval(np.full(2000, np.nan)) is None
    assert interval(samples([{"m": [1.0]}, *[{}] * 3], "m")) is None
    assert interval(samples([{"m": [1.0]}, {"m": [0.0]}, {}], "m")) is not None
    assert interval(np.array([1.0, np.nan, np.nan])) is None
    assert percentile_interval([], 0.5) is None


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=15), st.sampled_from([0.5, 0.95]))
def test_percentiles_of_samples_are_values_of_the_sample(values: list[float], share: float) -> None:
    found = percentile_interval(values, share)
    assert found is not None
    each = []
    for counts in draws(len(values)):
        each.append(percentile(sorted(np.repeat(values, counts.astype(int)).tolist()), share))
    low, high = np.quantile(each, (0.025, 0.975))
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
