"""Which name an abstract gives to its own system, and which names are somebody else's."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.mentions import introductions
from corpus.naming import rank_names
from corpus.shapes import bare_name, folded_name, shape, spelled_from

OWN = [
    ("Kernels waste tiles. We present TileFlow, a compiler for sparse models.", "TileFlow"),
    ("We propose a new router called RouteWise that balances load.", "RouteWise"),
    ("Kernels waste tiles. TileFlow is a compiler for sparse models.", "TileFlow"),
    ("This paper introduces Differential Load Tests (DLT), a way to rate code.", "DLT"),
    ("We propose Sparse to Dense Routing (S2DR) for experts.", "S2DR"),
    ("To close this gap, we introduce robust-bench, a new benchmark for kernels.", "robust-bench"),
    ('This work introduces "Double Sparsity," a method. Double Sparsity skips tokens.', "Double Sparsity"),
    ("This gap is closed by introducing LabelBench, a new framework for labels.", "LabelBench"),
    ("We design a family of Quick Networks, or QuNets in short. QuNets are fast.", "QuNet"),
    ("Models are slow. Our method (Woven Butterfly) uses one fixed pattern.", "Woven Butterfly"),
    ("Models are slow. We introduce ZeRO++, which halves what ZeRO sends.", "ZeRO++"),
    (
        "We term this decentralized way of training Federated Averaging. It needs no data.",
        "Federated Averaging",
    ),
    ("We present prima.cpp, a system that runs models at home.", "prima.cpp"),
    ("Pruning is blind. We propose Týr-the-Pruner, a search over layers.", "Týr-the-Pruner"),
    ("Trees are deep. Recent trees, such as XGBoost, grow. We present LeafCut, which cuts them.", "LeafCut"),
    ("Its core is a Shared Parameter Space (SPS). We present DynaTrain, a training system.", "DynaTrain"),
]
NOBODYS = [
    "Real-time communication (RTC) suffers on satellites. To boost RTC, we shape the queue from data.",
    "We solve the weighted least-squares (WLS) problem over noisy channels by an ADMM iteration.",
    "We measure MPI programs on 64 GPUs with PyTorch and ImageNet.",
    "We introduce Jensen-Shannon (JS) divergence as a measure for pruned models.",
    "Luo et al. (2024) recently proposed the Gaunt tensor product (GTP) which is fast. We compare it.",
    "We compare our method with DeepSpeed and show that it is faster than DeepSpeed on four machines.",
    "We reduce CO2 emissions of training by 18% without new hardware.",
    "Experiments on CIFAR-10, ResNet-50 and LLaMA-7B show that our approach works.",
    "Training is slow. We study how it scales and find that data matters.",
    "",
]


@pytest.mark.parametrize(("abstract", "name"), OWN)
def test_the_own_system_comes_first_and_is_sure(abstract: str, name: str) -> None:
    best = rank_names(abstract)[0]
    assert (best.text.rstrip("s"), best.weight >= 1.95) == (name, True)


@pytest.mark.parametrize("abstract", NOBODYS)
def test_names_of_others_and_of_kinds_are_never_sure(abstract: str) -> None:
    assert [name for name in rank_names(abstract) if name.weight >= 1.95] == []


def test_a_name_that_is_used_more_weighs_more() -> None:
    once = "We present TileFlow, a compiler. It is fast."
    often = f"{once} TileFlow merges tiles. With TileFlow, models are fast."
    assert rank_names(often)[0].weight > rank_names(once)[0].weight


def test_a_name_known_before_the_own_work_begins_weighs_less() -> None:
    own = "We present TileFlow, a compiler. TileFlow is fast."
    others = f"TileFlow has been used for years. {own}"
    assert rank_names(others)[0].weight < rank_names(own)[0].weight


def test_ranking_is_by_weight_and_each_name_comes_once() -> None:
    names = rank_names(" ".join(abstract for abstract, _ in OWN))
    weights = [name.weight for name in names]
    assert weights == sorted(weights, reverse=True)
    assert len({folded_name(name.text) for name in names}) == len(names) > len(OWN) / 2


def test_far_into_a_text_nothing_is_presented() -> None:
    assert rank_names("Words. " * 2000 + "We present TileFlow, a compiler.") == []


@given(st.text(alphabet=string.ascii_letters + string.digits + " .,;:()-+'/&^\"\n", max_size=300))
def test_any_text_gives_names_that_stand_in_it(text: str) -> None:
    squeezed = re.sub(r"\s+", " ", text)
    for name in rank_names(text):
        assert name.text in squeezed


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("TileFlow", "Tile"),
        ("PIT", "pit"),
        ("GReedy", "Greedy"),
        ("prima.cpp", "prima"),
        ("LeafCut", "GPU"),
        ("S2DR", "ResNet-50"),
        ("BOLT", "LLMs"),
        ("BOLT", "2.4x"),
        ("BOLT", "ViT-based"),
    ],
)
def test_shapes(better: str, worse: str) -> None:
    assert shape(better) > 0.05 >= min(shape(worse), 0.05)
    assert shape(better) > shape(worse)


def test_bare_names() -> None:
    assert bare_name("PIT The") == "PIT"
    assert bare_name("the GPU TileFlow quickly") == "TileFlow"
    assert bare_name("TileFlow's") == "TileFlow"
    assert bare_name("Woven Butterfly") == "Woven Butterfly"


@pytest.mark.parametrize(
    ("short", "before", "begins"),
    [
        ("MoE", "we use a mixture of experts ", "mixture"),
        ("S2DR", "Sparse to Dense Routing ", "Sparse"),
        ("TDM", "a Time Distance Map ", "Time"),
        ("XYZ", "a mixture of experts ", None),
        ("A1", "an apple ", None),
    ],
)
def test_where_a_short_form_is_spelled_out(short: str, before: str, begins: str | None) -> None:
    place = spelled_from(short, before)
    assert place == (None if begins is None else before.index(begins))


def test_what_the_work_is_held_against_weighs_less() -> None:
    text = "We train networks without labels. They run {} QuickNet. QuickNet uses labels."
    own, rival = (rank_names(text.format(words))[0] for words in ("beside", "faster than"))
    assert own.text == rival.text == "QuickNet"
    assert own.weight - rival.weight > 1.4


def test_what_is_only_used_is_not_sure_however_often() -> None:
    text = "We tune by direct preference tests (DPTs). For DPT, we cut DPT data and DPT time. No DPT failed."
    weights = {name.text: name.weight for name in rank_names(text)}
    assert "DPT" in weights
    assert max(weights.values()) <= 1.0


def test_of_two_that_are_presented_the_first_weighs_more() -> None:
    first, second = rank_names("We propose BetaTwo, a router. We propose AlphaOne, a router.")[:2]
    assert (first.text, second.text) == ("BetaTwo", "AlphaOne")
    assert first.weight > second.weight


def test_what_is_spoken_of_on_the_way_is_not_presented() -> None:
    own = rank_names("We propose a Weighted Load Search (WLS).")[0]
    passing = rank_names("We propose models found by a Weighted Load Search (WLS).")[0]
    assert own.text == passing.text == "WLS"
    assert own.weight - passing.weight > 1.5


def test_what_others_propose_is_no_introduction() -> None:
    text = "Luo et al. and others then propose products. We then propose sums."
    assert [intro.start() for intro in introductions(text)] == [text.index("We")]
