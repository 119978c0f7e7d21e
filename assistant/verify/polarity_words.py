"""Tables of words: which way they say that things go, and which deny what follows."""

from __future__ import annotations

from collections.abc import Mapping

AXES: Mapping[str, tuple[str, str]] = {
    "speed": (
        "fast faster fastest quick quicker quickly speedup accelerate acceleration accelerated accelerates "
        "speeds",
        "slow slower slowest slowdown slows slowing decelerate sluggish",
    ),
    "amount": (
        "increase increases increased increasing raise raises raised grow grows growth more higher high "
        "highest larger large largest greater gain gains rise rises rising boost boosts boosted expand "
        "enlarge enlarges maximum longer long wider wide widen bigger many upper maximize enhance enhances "
        "elevated",
        "reduce reduces reduced reducing reduction decrease decreases decreased decreasing lower lowers "
        "lowered low lowest less fewer smaller small smallest cut cuts cutting save saves saving savings "
        "shrink shrinks drop drops fall falls halve halves halving minimize minimal shorter short narrower "
        "narrow narrows few cheaper diminish decline declines shrinking lessen",
    ),
    "quality": (
        "better best improve improves improved improving improvement outperform outperforms outperforming "
        "beat beats surpass surpasses surpassing exceed exceeds exceeding superior wins stronger advantage "
        "higher gain gains raise",
        "worse worst degrade degrades degraded degradation underperform underperforms lose loses inferior "
        "trail trails behind weaker hurt hurts harm harms deteriorate decline declines drop drops suffer "
        "suffers worsen lower falls",
    ),
    "order": (
        "before earlier early first prior beforehand initially",
        "after afterwards later last finally final",
    ),
    "level": (
        "above over",
        "below under beneath",
    ),
    "keep": (
        "keep keeps preserve preserves maintain maintains retain retains",
        "remove removes discard discards drop destroy",
    ),
    "ease": (
        "easy easier simple simpler simply",
        "hard harder difficult complex complicated",
    ),
    "often": (
        "often frequently always usually commonly",
        "rarely seldom never infrequently",
    ),
    "cost": (
        "cheap cheaper inexpensive",
        "costly expensive costlier",
    ),
    "likeness": (
        "similar same comparable alike equal identical",
        "different differ differs distinct dissimilar",
    ),
}
"""Axes of meaning: words that say more of it, and words that say less."""
PAIRS = (
    "static dynamic|dense sparse|online offline|forward backward|local global|fixed adaptive"
    "|inside outside|linear quadratic|shallow deep|internal external|encoder decoder|coarse fine"
    "|centralized decentralized|homogeneous heterogeneous|synchronous asynchronous|lossy lossless"
    "|structured unstructured|explicit implicit|single multiple|supervised unsupervised|download upload"
    "|uplink downlink|prefill decode|horizontal vertical|positive negative|most least"
    "|possible impossible|add remove|start end|convex nonconvex|stable unstable"
).split("|")
"""Pairs of words that exclude each other; each pair is an axis of its own."""
NEGATORS = frozenset(
    "not no without never cannot nor neither none nothing lack lacks lacking hardly unable instead rather "
    "fail fails failed failing avoid avoids avoiding avoided eliminate eliminates eliminating eliminated "
    "remove removes removing removed obviate obviates obviating unnecessary zero exclude excluding bypass "
    "bypasses bypassing prevent prevents preventing skip skips skipping barred free stop stops loses".split()
)
"""Words that deny what follows them."""
BEHIND = frozenset(("free", "unnecessary"))
"""Negators that stand behind what they deny."""
LOOSE = frozenset(
    "performance accuracy quality efficiency cost costs loss losses result results model models method "
    "methods approach degradation drop sacrifice compromise additional extra further explicit prior "
    "existing".split()
)
"""Words whose denial says little: there are too many ways to say it ("at no cost in performance")."""
