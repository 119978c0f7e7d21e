"""Verdicts on sentences over the made-up library."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made import Library

from assistant.verify import Verdict, Verifier
from assistant.verify.verifier import says_nothing
from corpus.papers import Paper


@pytest.fixture(scope="module")
def verifier(library: Library) -> Verifier:
    return library.assistant.verifier()


@pytest.fixture(scope="module")
def papers(library: Library) -> dict[str, Paper]:
    return {paper.id: paper for paper in library.collection.papers()}


@pytest.mark.parametrize(
    ("paper", "text"),
    [
        ("tileflow", "TileFlow runs sparse inference 5.9x faster than TVM and 2.4x faster on average."),
        ("tileflow", "tileflow runs sparse inference 5.9 × faster than TVM, and 2.4x faster on average"),
        ("quokka", "Training of large models stops when a machine fails."),
        ("lumen-server", "Lumen cuts the 99th percentile latency by 63%"),
        ("hostile", "Trap|Door holds 512 attacks [2, 3] in 9 languages."),
    ],
)
def test_the_very_words(verifier: Verifier, papers: dict[str, Paper], paper: str, text: str) -> None:
    verdict = verifier.check(text, [papers[paper]])
    assert (verdict.support, verdict.score, verdict.reasons) == ("verbatim", 1.0, ())
    assert_quoted(verdict, papers)


def assert_quoted(verdict: Verdict, papers: dict[str, Paper]) -> None:
    """Every quote stands in its paper's abstract."""
    assert verdict.quotes
    for ground in verdict.quotes:
        quote = ground.quote
        assert (papers[ground.paper_id].abstract or "")[quote.start : quote.end] == quote.text


@pytest.mark.parametrize(
    ("paper", "text"),
    [
        (
            "tileflow",
            "TileFlow is a compiler that combines scattered micro-tiles into dense tiles at run time.",
        ),
        ("tileflow", "TileFlow speeds up sparse inference 5.9x over TVM."),
        ("quokka", "Quokka shortens recovery from 12 minutes to 9 seconds."),
        ("lumen-server", "Lumen lowers the 99th percentile latency by 63%."),
        ("nexo-plus", "Nexo++ quantizes what is sent and needs 4x less communication than Nexo."),
        ("energy", "Shifting batch jobs to hours with wind power saves 18% of the emissions."),
        ("imaging", "The network shortens the reading of a mammogram from 4 minutes to 90 seconds."),
    ],
)
def test_true_paraphrases(verifier: Verifier, papers: dict[str, Paper], paper: str, text: str) -> None:
    verdict = verifier.check(text, [papers[paper]])
    assert (verdict.support, verdict.reasons) == ("supported", ())
    assert verdict.score > 0.5
    assert_quoted(verdict, papers)


@pytest.mark.parametrize(
    ("paper", "text", "reason"),
    [
        ("tileflow", "TileFlow speeds up sparse inference 6.9x over TVM.", "the figure 6.9x isn't there"),
        ("tileflow", "TileFlow runs sparse inference 59x faster than TVM.", "the figure 59x isn't there"),
        ("lumen-server", "Lumen cuts the 99th percentile latency by 6%", "the figure 6% isn't there"),
        ("tileflow", "TileFlow is 5.9% faster than TVM.", "the figure 5.9% has the unit 'x' there, not '%'"),
        (
            "quokka",
            "Quokka cuts recovery from 12 minutes to 9 minutes.",
            "the figure 9 has the unit 's' there, not 'minute'",
        ),
        (
            "tileflow",
            "TileFlow runs sparse inference up to 2.4x faster.",
            "is 'average' there, 'up to' here",
        ),
        (
            "tileflow",
            "TileFlow runs sparse inference 5.9x faster than PyTorch.",
            "'PyTorch' isn't named there",
        ),
        ("tileflow", "Landmarks such as rivers guide bees home.", "nothing there is about it"),
        ("tileflow", "The answer is a fraction of the total answer.", "nothing there is about it"),
        ("privacy", "没有任何论文说明这个问题的答案是什么", "nothing there is about it"),
        ("bare", "Beekeeping records of the northern valleys.", "its source has no abstract"),
        ("bees", "5 % ± 3", "isn't there"),
    ],
)
def test_what_is_not_supported(
    verifier: Verifier, papers: dict[str, Paper], paper: str, text: str, reason: str
) -> None:
    verdict = verifier.check(text, [papers[paper]])
    assert verdict.support == "unsupported"
    assert verdict.score < 0.5
    assert reason in "; ".join(verdict.reasons)


@pytest.mark.parametrize(
    ("paper", "text", "reason"),
    [
        ("tileflow", "TileFlow runs sparse inference 2.4x faster.", "the figure 2.4 is an average there"),
        (
            "lumen-server",
            "Lumen raises the 99th percentile latency by 63%.",
            "'raises' goes the other way there",
        ),
    ],
)
def test_what_is_supported_in_part(
    verifier: Verifier, papers: dict[str, Paper], paper: str, text: str, reason: str
) -> None:
    verdict = verifier.check(text, [papers[paper]])
    assert (verdict.support, verdict.reasons) == ("partly", (reason,))


def test_a_bound_that_is_left_out(verifier: Verifier, papers: dict[str, Paper]) -> None:
    bounded = replace(
        papers["energy"], abstract="Shifting jobs to windy hours saves up to 18% of the emissions."
    )
    verdict = verifier.check("Shifting jobs to windy hours saves 18% of the emissions.", [bounded])
    assert verdict.support == "unsupported"
    verdict = verifier.check("Moving jobs to windy hours saves up to 18% of emissions.", [bounded])
    assert verdict.support == "supported"


def test_the_words_behind_a_denial_are_not_the_sources(verifier: Verifier, papers: dict[str, Paper]) -> None:
    denying = replace(papers["energy"], abstract="We show that it does not save energy in any data centre.")
    assert verifier.check("Save energy in any data centre.", [denying]).support != "verbatim"
    assert verifier.check("It does not save energy in any data centre.", [denying]).support == "verbatim"


def test_a_sentence_without_a_marker_gets_the_paper_that_says_it(
    verifier: Verifier, papers: dict[str, Paper]
) -> None:
    shown = [papers[one] for one in ("tileflow", "quokka", "bees", "bare")]
    verdict = verifier.check("Quokka shortens recovery from 12 minutes to 9 seconds.", (), others=shown)
    assert verdict.support == "supported"
    assert {ground.paper_id for ground in verdict.quotes} == {"quokka"}
    verdict = verifier.check("Penguins live in Antarctica and eat fish.", (), others=shown)
    assert (verdict.support, verdict.quotes) == ("unsupported", ())
    assert verdict.reasons == ("no source is cited, and none that was shown says it",)
    assert verifier.check("Penguins live in Antarctica.", ()).reasons == ("no source is cited",)


def test_of_two_papers_the_one_that_says_it_is_kept(verifier: Verifier, papers: dict[str, Paper]) -> None:
    verdict = verifier.check(
        "Quokka shortens recovery from 12 minutes to 9 seconds.", [papers["tileflow"], papers["quokka"]]
    )
    assert verdict.support == "supported"
    assert {ground.paper_id for ground in verdict.quotes} == {"quokka"}


def test_two_papers_together(verifier: Verifier, papers: dict[str, Paper]) -> None:
    text = "TileFlow is 5.9x faster than TVM, and Quokka cuts recovery from 12 minutes to 9 seconds."
    both = [papers["tileflow"], papers["quokka"]]
    assert verifier.check(text, both[:1]).support == "unsupported"
    verdict = verifier.check(text, both)
    assert verdict.support == "supported"
    assert {ground.paper_id for ground in verdict.quotes} == {"tileflow", "quokka"}
    assert_quoted(verdict, papers)
    assert verifier.check(text, [*both[:1], *both[:1]]) == verifier.check(text, both[:1])


@pytest.mark.parametrize(
    "text", ["", " ", "In summary:", "Yes.", "Here is what the papers say:", "...", "🐝"]
)
def test_what_says_nothing(verifier: Verifier, papers: dict[str, Paper], text: str) -> None:
    assert verifier.check(text, [papers["bees"]]) == Verdict("", "supported", 1.0)


@pytest.mark.parametrize("text", ["It is 3x.", "Bees fly home.", "这个模型更快", "ผึ้งกลับบ้าน"])
def test_what_says_something(text: str) -> None:
    assert not says_nothing(text)


@pytest.mark.parametrize("unit", ["a", "7", " ", "bees fly home ", "1-2-", "[", "蜂", "\u0301", "no "])
def test_a_text_longer_than_a_sentence(verifier: Verifier, papers: dict[str, Paper], unit: str) -> None:
    verdict = verifier.check(unit * (1_000_000 // len(unit)), [papers["bees"]])
    assert verdict.support == "unsupported" or not verdict.text
    verdict = verifier.check(unit * (3_900 // len(unit)), [papers["bees"]])
    assert verdict.support == "unsupported" or not verdict.text


@pytest.mark.parametrize("abstract", ["", "   ", "...", "\u2026", "\n\n", "(\u2014)"])
def test_an_abstract_without_words(verifier: Verifier, papers: dict[str, Paper], abstract: str) -> None:
    verdict = verifier.check("Bees fly home.", [replace(papers["bees"], abstract=abstract)])
    assert verdict.reasons == ("its source has no abstract",)


@given(
    st.text(max_size=60),
    st.sampled_from(
        ["", "Bees \udcff return 3% İn 2.4x, can't ", "ſeven hundred K ", "\x00 bees\u2028 ﬁnd 5 ½ "]
    ),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_breaks_the_check(
    verifier: Verifier, papers: dict[str, Paper], text: str, before: str
) -> None:
    verdict = verifier.check(before + text, [papers["bees"]])
    assert 0 <= verdict.score <= 1
    odd = replace(papers["bees"], abstract=f"{before}{text} bee")
    assert 0 <= verifier.check("Bees return to 3 hives.", [odd]).score <= 1


def test_threads_find_the_same(library: Library, papers: dict[str, Paper]) -> None:
    texts = [
        (paper, f"{sentence.strip()}.")
        for paper in papers.values()
        for sentence in (paper.abstract or "").split(".")[:2]
        if len(sentence) > 30
    ]
    one = library.assistant.verifier()
    alone = [library.assistant.verifier().check(text, [paper]) for paper, text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda given: one.check(given[1], [given[0]]), texts)) == alone
