"""Figures: what is read out of sentences, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.figures import Figure, figures_of

Told = tuple[float | tuple[float, float], str, str | None, str | None, str | None]
"""Value (or both ends), unit, qualifier, measure, against."""

RATIOS: list[tuple[str, list[Told]]] = [
    (
        "Alpha speeds up sparse kernels by up to 4.1x (average 1.9x) over hand-written ones.",
        [
            (4.1, "x", "up to", "speedup", "hand-written ones"),
            (1.9, "x", "average", "speedup", "hand-written ones"),
        ],
    ),
    ("It reaches a speedup of 2.5X compared to Megatron-LM.", [(2.5, "x", None, "speedup", "Megatron-LM")]),
    ("Kernels run 3.2× faster than cuBLAS on average.", [(3.2, "x", "average", "speedup", "cuBLAS")]),
    (
        "Search is more than 40 times faster than exhaustive search.",
        [(40, "x", "more than", "speedup", "exhaustive search")],
    ),
    ("Decoding is accelerated by 1.3x-2.2x.", [((1.3, 2.2), "x", None, "speedup", None)]),
    ("We see a 2–4x speedup over FlashAttention-2.", [((2, 4), "x", None, "speedup", "FlashAttention-2")]),
    ("Training becomes 1.5x to 3x faster.", [((1.5, 3), "x", None, "speedup", None)]),
    ("Throughput grows by between 2x and 5x.", [((2, 5), "x", None, "throughput increase", None)]),
    (
        "Beta is 7.5x smaller and 6x faster than the best ConvNet.",
        [(7.5, "x", None, "size reduction", "best ConvNet"), (6, "x", None, "speedup", "best ConvNet")],
    ),
    ("The network uses 12x fewer FLOPs than ResNet-50.", [(12, "x", None, "FLOPs reduction", "ResNet-50")]),
    ("It needs 500 times less data.", [(500, "x", None, "data reduction", None)]),
    (
        "Gamma outperforms vLLM by up to three orders of magnitude.",
        [(1000, "x", "up to", "performance increase", "vLLM")],
    ),
    ("Tuning takes an order of magnitude fewer parameters.", [(10, "x", None, "model size reduction", None)]),
    ("It gives a two-order-of-magnitude reduction in memory.", [(100, "x", None, "memory reduction", None)]),
    ("The index is one to two orders of magnitude faster.", [((10, 100), "x", None, "speedup", None)]),
    ("It runs twice as fast as BERT.", [(2, "x", None, "speedup", "BERT")]),
    ("The scheme doubles the throughput of serving.", [(2, "x", None, "throughput increase", None)]),
    ("We obtain a fourfold reduction in GPU memory.", [(4, "x", None, "memory reduction", None)]),
    (
        "The kernel beats the CUDA version by a factor of 2.8 in inference and 1.7 in training.",
        [
            (2.8, "x", None, "performance increase", "CUDA version"),
            (1.7, "x", None, "performance increase", "CUDA version"),
        ],
    ),
    (
        "Delta cuts the search cost by up to a factor of 30.",
        [(30, "x", "up to", "search cost reduction", None)],
    ),
    (
        "Speedups are 2.2x and 1.4x over SegFormer and SegNeXt, respectively.",
        [(2.2, "x", None, "speedup", "SegFormer"), (1.4, "x", None, "speedup", "SegNeXt")],
    ),
    (
        "It is 5.8x/3.7x faster on the GPU/CPU.",
        [(5.8, "x", None, "speedup", None), (3.7, "x", None, "speedup", None)],
    ),
    ("Compared to MobileViT, our net runs 7.4x faster.", [(7.4, "x", None, "speedup", "MobileViT")]),
    (
        "It has 8x lower latency and 2x higher throughput than DeepSpeed.",
        [
            (8, "x", None, "latency reduction", "DeepSpeed"),
            (2, "x", None, "throughput increase", "DeepSpeed"),
        ],
    ),
    ("Epsilon delivers ~2x compute efficiency.", [(2, "x", "about", "efficiency", None)]),
    ("Peak speedup of 4.2x is seen.", [(4.2, "x", "peak", "speedup", None)]),
    ("It is only 1.2x slower than dense training.", [(1.2, "x", "only", "slowdown", "dense training")]),
]

SHARES: list[tuple[str, list[Told]]] = [
    ("Zeta reduces the memory footprint by 43% without loss.", [(43, "%", None, "memory reduction", None)]),
    (
        "Fragmentation falls by 79.2% on average (up to 100%).",
        [
            (79.2, "%", "average", "fragmentation reduction", None),
            (100, "%", "up to", "fragmentation reduction", None),
        ],
    ),
    ("It gets 25-40% of the theoretical peak.", [((25, 40), "%", None, "utilization", "theoretical peak")]),
    ("Energy use drops by 5 to 30 percent.", [((5, 30), "%", None, "energy reduction", None)]),
    (
        "Training compute efficiency improves 12–34% over the baseline.",
        [((12, 34), "%", None, "efficiency increase", "baseline")],
    ),
    ("It scores 81.3% top-1 accuracy on ImageNet.", [(81.3, "%", None, "accuracy", None)]),
    (
        "It has 3% higher accuracy than EfficientNet-B7.",
        [(3, "%", None, "accuracy increase", "EfficientNet-B7")],
    ),
    (
        "Ours surpasses MobileNetV3-Large by 1.9% in accuracy.",
        [(1.9, "%", None, "accuracy increase", "MobileNetV3-Large")],
    ),
    ("There is an accuracy drop of only 0.5%.", [(0.5, "%", "only", "accuracy reduction", None)]),
    ("A maximum accuracy drop of 7% was seen.", [(7, "%", "up to", "accuracy reduction", None)]),
    (
        "Success rises from 40% to 69%.",
        [(40, "%", None, "success rate", None), (69, "%", None, "success rate", None)],
    ),
    (
        "GPU utilization goes from below 40% to over 90%.",
        [(40, "%", "under", "utilization", None), (90, "%", "over", "utilization", None)],
    ),
    ("It reaches 52% MFU on 512 GPUs.", [(52, "%", None, "MFU", None), (512, "GPUs", None, "scale", None)]),
    ("Weights have up to 95% sparsity.", [(95, "%", "up to", "sparsity", None)]),
    ("The method halves the parameters.", [(50, "%", None, "model size reduction", None)]),
    ("Training time is cut by half.", [(50, "%", None, "training time reduction", None)]),
    ("Attention takes two thirds of the runtime.", [(200 / 3, "%", None, "runtime", None)]),
    ("It updates 1/4 of all parameters.", [(25, "%", None, "model size", None)]),
    (
        "It lowers costs by half and energy by 40%.",
        [(50, "%", None, "cost reduction", None), (40, "%", None, "energy reduction", None)],
    ),
    ("Latency improves by 20%.", [(20, "%", None, "latency reduction", None)]),
    ("Perplexity is improved by 8-12%.", [((8, 12), "%", None, "perplexity reduction", None)]),
    ("Throughput is up to 39% higher.", [(39, "%", "up to", "throughput increase", None)]),
    (
        "The size shrinks to 7.3B parameters (-9%).",
        [(7.3e9, "parameters", None, "model size", None), (-9, "%", None, "model size reduction", None)],
    ),
    ("Success is higher on both (+29.3 points).", [(29.3, "points", None, "success rate increase", None)]),
    ("Accuracy rises by 1.2 percentage points.", [(1.2, "points", None, "accuracy increase", None)]),
    ("It outperforms SegNeXt by 3.6 mIoU.", [(3.6, "points", None, "mIoU increase", "SegNeXt")]),
    ("Eta is 0.6 top-1 accuracy better than Theta.", [(0.6, "points", None, "accuracy increase", "Theta")]),
    (
        "We get up to 1.33/1.28/1.1 higher top-1 accuracy.",
        [
            (1.33, "points", "up to", "accuracy increase", None),
            (1.28, "points", "up to", "accuracy increase", None),
            (1.1, "points", "up to", "accuracy increase", None),
        ],
    ),
    ("It attains 55.1 AP on COCO.", [(55.1, "", None, "AP", None)]),
    ("Recall rises from 0.92 to 0.95.", [(0.92, "", None, "recall", None), (0.95, "", None, "recall", None)]),
    ("It scores over 0.9 F1 on all sets.", [(0.9, "", "over", "F1", None)]),
    ("A test PSNR of 27.28 is reached.", [(27.28, "", None, "PSNR", None)]),
    (
        "Weak scaling efficiency of 0.94 holds up to 384 GCDs.",
        [(0.94, "", None, "scaling efficiency", None), (384, "GCDs", "up to", "scale", None)],
    ),
    ("Less than 1% accuracy is lost.", [(1, "%", "less than", "accuracy", None)]),
]

# Sentences whose parts lean on one another.
LEANING: list[tuple[str, list[Told]]] = [
    (
        "Against vLLM it is 2x faster; against TGI, 3x faster.",
        [(2, "x", None, "speedup", "vLLM"), (3, "x", None, "speedup", "TGI")],
    ),
    ("Speedups over strong baselines reach 5.9x.", [(5.9, "x", None, "speedup", "strong baselines")]),
    (
        "It is 3.6x faster at 90% sparsity than dense layers.",
        [(3.6, "x", None, "speedup", "dense layers"), (90, "%", None, "sparsity", None)],
    ),
    ("Iota outperforms Kappa up to 8.1x.", [(8.1, "x", "up to", "performance increase", "Kappa")]),
    ("Iota beats Kappa with 1.2x higher throughput.", [(1.2, "x", None, "throughput increase", "Kappa")]),
    (
        "It outperforms the mixer by 2.5% on ImageNet accuracy.",
        [(2.5, "%", None, "accuracy increase", "mixer")],
    ),
    ("It outperforms MeshNet by 52% on the test RMSE.", [(52, "%", None, "error reduction", "MeshNet")]),
    (
        "Time To First Token is sped up by a mean of 35.6%.",
        [(35.6, "%", "mean", "time to first token reduction", None)],
    ),
    (
        "Copies take 47% less time and training speeds up by 1.6x.",
        [(47, "%", None, "time reduction", None), (1.6, "x", None, "speedup", None)],
    ),
    (
        "The speedup is 1.3x with an accuracy drop of 0.2%.",
        [(1.3, "x", None, "speedup", None), (0.2, "%", None, "accuracy reduction", None)],
    ),
    (
        "Cost falls from 180 GPU days to 5 GPU hours (1000x reduction).",
        [
            (180, "GPU days", None, "compute", None),
            (5, "GPU hours", None, "compute", None),
            (1000, "x", None, "compute reduction", None),
        ],
    ),
    (
        "Accuracy is 59.9%, which is 1.9% higher than that of the best MobileNet.",
        [(59.9, "%", None, "accuracy", None), (1.9, "%", None, "accuracy increase", "best MobileNet")],
    ),
    (
        "It reduces the number of trainable parameters up to 27x.",
        [(27, "x", "up to", "model size reduction", None)],
    ),
    ("Sparse nets are better at sparsity levels beyond 96%.", [(96, "%", "over", "sparsity", None)]),
    ("Iota communicates 170x less than DDP.", [(170, "x", None, "communication reduction", "DDP")]),
    ("Perplexity is up to 27% better.", [(27, "%", "up to", "perplexity reduction", None)]),
    ("Size shrinks by 1/3 to 2/3.", [((100 / 3, 200 / 3), "%", None, "size reduction", None)]),
    ("The generalization gap shrinks by 22%.", [(22, "%", None, "generalization gap reduction", None)]),
    (
        "It has 421x lower computational cost, 3.7% accuracy improvement and 8x reduction on search cost.",
        [
            (421, "x", None, "compute reduction", None),
            (3.7, "%", None, "accuracy increase", None),
            (8, "x", None, "search cost reduction", None),
        ],
    ),
]

QUANTITIES: list[tuple[str, list[Told]]] = [
    ("We train on 12,288 GPUs.", [(12288, "GPUs", None, "scale", None)]),
    (
        "A 70B model runs on 8xH200 GPUs.",
        [(7e10, "parameters", None, "model size", None), (8, "GPUs", None, "scale", None)],
    ),
    ("One server with 4x NVIDIA A6000 is enough.", [(4, "GPUs", None, "scale", None)]),
    ("Models range from 7B to 70B parameters.", [((7e9, 7e10), "parameters", None, "model size", None)]),
    (
        "Models of 10-100 billion parameters are served.",
        [((1e10, 1e11), "parameters", None, "model size", None)],
    ),
    (
        "We present a 3B/16B-parameter model.",
        [(3e9, "parameters", None, "model size", None), (1.6e10, "parameters", None, "model size", None)],
    ),
    ("It has 1.6 trillion parameters.", [(1.6e12, "parameters", None, "model size", None)]),
    ("A trillion-parameter model fits.", [(1e12, "parameters", None, "model size", None)]),
    ("It has hundreds of billions of parameters.", [(1e11, "parameters", "at least", "model size", None)]),
    ("It scales to thousands of GPUs.", [(1000, "GPUs", "at least", "scale", None)]),
    ("500B+ parameter models are supported.", [(5e11, "parameters", "at least", "model size", None)]),
    ("It was trained with 5.7T tokens.", [(5.7e12, "tokens", None, "training data", None)]),
    ("It supports a 1M context length.", [(1e6, "tokens", None, "context length", None)]),
    ("It has a 2048-token context window.", [(2048, "tokens", None, "context length", None)]),
    ("The throughput is 1.41M tokens/s.", [(1.41e6, "tokens/s", None, "throughput", None)]),
    ("It serves six hundred images per second.", [(600, "images/s", None, "throughput", None)]),
    ("It has a latency of 1.6 ms on iPhone 12.", [(1.6, "ms", None, "latency", None)]),
    ("It answers in under 2s.", [(2, "s", "under", "time", None)]),
    ("Search took around twenty minutes.", [(20, "min", "about", "time", None)]),
    ("It takes only about one minute.", [(1, "min", "about", "time", None)]),
    ("Training time is 41 hours.", [(41, "h", None, "training time", None)]),
    (
        "Compute falls from 180 GPU days to 5 GPU hours.",
        [(180, "GPU days", None, "compute", None), (5, "GPU hours", None, "compute", None)],
    ),
    ("It uses 1,000 A100 GPU-hours.", [(1000, "GPU hours", None, "compute", None)]),
    ("It needs only 8.2 GB VRAM.", [(8.2, "GB", "only", "memory", None)]),
    (
        "Memory falls from 24.2GB to 19.2GB.",
        [(24.2, "GB", None, "memory", None), (19.2, "GB", None, "memory", None)],
    ),
    ("Clusters have 800Gbps links.", [(800, "Gb/s", None, "bandwidth", None)]),
    ("It sustains 15 Petaflops.", [(1.5e16, "FLOP/s", None, "throughput", None)]),
    (
        "We measure 502 petaFLOP/s and 156 TFLOPS.",
        [(5.02e17, "FLOP/s", None, "throughput", None), (1.56e14, "FLOP/s", None, "throughput", None)],
    ),
    ("The net has 24M FLOPs.", [(2.4e7, "FLOPs", None, "FLOPs", None)]),
    ("It costs 1.3G FLOPs.", [(1.3e9, "FLOPs", None, "FLOPs", None)]),
    ("Pre-training took 2.6 x 10^20 FLOPs.", [(2.6e20, "FLOPs", None, "FLOPs", None)]),
    ("It has over 10^19 sub-networks.", [(1e19, "sub-networks", "over", None, None)]),
    (
        "The graph has 3 billion nodes and 18 billion edges.",
        [(3e9, "nodes", None, None, None), (1.8e10, "edges", None, None, None)],
    ),
    ("It covers 101 languages.", [(101, "languages", None, None, None)]),
    (
        "We test on twelve datasets and 1,000 coding problems.",
        [(12, "datasets", None, None, None), (1000, "problems", None, None, None)],
    ),
    ("It wins in 50 of 66 tasks.", [(50, "tasks", None, None, None), (66, "tasks", None, None, None)]),
    ("Weights are stored in 4 bits.", [(4, "bits", None, "precision", None)]),
    ("We ran it at 13W.", [(13, "W", None, "power", None)]),
    (
        "We use 8, 16 and 32 GPUs.",
        [
            (8, "GPUs", None, "scale", None),
            (16, "GPUs", None, "scale", None),
            (32, "GPUs", None, "scale", None),
        ],
    ),
    ("A batch size of 4M is used.", [(4e6, "", None, "batch size", None)]),
]

NOT_FIGURES = [
    "GPT-3, A100, EfficientNet-B7 and Llama-2-70B are names.",
    "ImageNet-1k top-1 with 2:4 sparsity, W4A4 and FP8.",
    "Solving 5x5x5 cubes with 16x16 tiles of Mixtral 8x7B.",
    "On iPhone 12, RTX 4090 and Snapdragon 835.",
    "See Section 3, Table 2 and Figure 4.",
    "Since 2017, and again in 2023, it grew.",
    "In the early 2010s it was new.",
    "First, (1) we prune and (2) we quantize; 3) we stop.",
    "The cost is O(N^2) for k > 10 and epsilon=0.1.",
    "Stable Diffusion 3.5 and Wan 2.1 are models.",
    "See https://example.org/paper/2301.10936 for v2.1 of it.",
    "Prior work [12, 13] did so.",
    "The two key ideas are one and the same.",
    "A 3-level hierarchy with 5-shot prompts.",
    "This challenge is twofold: size and speed.",
    "Double Sparsity in half-precision uses a double buffer.",
    "The third of the phases comes first.",
    "3D Gaussian splatting and 2D matrices.",
    "On the Atari 100k benchmark.",
    "On a 4090 GPU.",
    "It decodes one token at a time.",
    "The bound is 1/N with N^2 terms.",
]

CASES = RATIOS + SHARES + LEANING + QUANTITIES


def told(figure: Figure) -> Told:
    value = figure.value if figure.high is None else (figure.value, figure.high)
    return value, figure.unit, figure.qualifier, figure.measure, figure.against


@pytest.mark.parametrize(("sentence", "expected"), CASES)
def test_what_is_read(sentence: str, expected: list[Told]) -> None:
    found = [told(figure) for figure in figures_of(sentence)]
    assert [one[1:] for one in found] == [one[1:] for one in expected]
    assert [one[0] for one in found] == [pytest.approx(one[0]) for one in expected]


@pytest.mark.parametrize("sentence", NOT_FIGURES)
def test_what_is_left_alone(sentence: str) -> None:
    assert figures_of(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "spans"),
    [
        ("It is up to 5.9x faster, 25-40% smaller.", ["5.9x", "25-40%"]),
        ("12,288 GPUs, 21 large language models, 80GB.", ["12,288 GPUs", "21", "80GB"]),
        ("It gains three orders of magnitude in 35 minutes.", ["three orders of magnitude", "35 minutes"]),
    ],
)
def test_spans_are_the_words_of_the_figure(sentence: str, spans: list[str]) -> None:
    assert [sentence[figure.start : figure.end] for figure in figures_of(sentence)] == spans


WORDS = st.sampled_from(
    "by up to over than and of on from 5.9x 25-40% (average 2.43x) 7B parameters 10^19 tokens/s 3 "
    "billion nodes A100 "
    "GPT-3 1/3 twice half orders of magnitude factor GPUs - / , . ; ) ( ~ + −9% ² ١٢ 1e999 10^999 "
    "9^9^9 speedup".split(" ")
)


@given(st.one_of(st.text(max_size=120), st.lists(WORDS, max_size=30).map(" ".join)))
def test_any_text_is_read(text: str) -> None:
    last = 0
    for figure in figures_of(text):
        assert last <= figure.start < figure.end <= len(text)
        last = figure.start
        shown = text[figure.start : figure.end]
        assert any(char.isalnum() for char in shown)
        assert shown == shown.strip()
        assert figure.high is None or figure.high >= figure.value


def test_a_huge_text_is_read_in_linear_time() -> None:
    # Twenty times as long: with a quadratic step it wouldn't end in a test run.
    text = "up to 5.9x faster than A, (2 GB), " * 1500
    assert len(figures_of(text)) == 3000
