"""The words that give a cue to the role of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache

# Cue -> the words that give it; a trailing * stands for any ending.
_GROUPS = {
    "contrast": """
        however yet but although though despite while whereas nevertheless nonetheless unfortunately
    """,
    "hard": """
        hard difficult* challeng* costly expensive prohibitive* suffer* bottleneck* struggl* demand*
        impractical infeasible hinder* hamper* restrict* scarce scarcity waste* burden* concern* limit
        limits limited limiting limitation* problem* obstacle* barrier* degrad* slow slows severe*
        drawback* overhead* heavy
    """,
    "lack": """
        lack* fail* overlook* ignor* neglect* little few rarely seldom unexplored under-explored
        unclear unproven missing miss cannot insufficient poorly unknown inefficien* suboptimal
        elusive misses
    """,
    "others": """
        existing current currently previous previously prior earlier traditional* conventional*
        standard common recent recently mainstream usual popular most many
    """,
    "general": """
        usually typically often mostly commonly widely generally tend tends normally increasingly ever
        nowadays today become* becoming emerged remain* growing grow* central crucial essential
        important fundamental
    """,
    "need": "need* require* must should call calls depend* rely relies relying",
    "we": "we our us",
    "work": "work paper study article survey review dissertation thesis proposal authors here",
    "propose": """
        propos* present presents presented introduc* develop develops developed design designs
        designed offer* describ* contribut* devis* formulat* extend* revisit* aim aims goal explor*
        investigat* study studies studied examin* analys* analyz* address* tackl* build builds built
        novel new
    """,
    "kind": """
        framework* method* algorithm* system systems architecture* approach* technique* mechanism*
        strateg* scheme* module* library paradigm* compiler* pipeline* benchmark* dataset* optimizer*
        family formulation* accelerator*
    """,
    "means": """
        combin* use uses using exploit* leverag* split* divid* partition* replac* learns learn apply
        applies integrat* adopt* employ* map maps turn turns generat* assign* select* choos* adjust*
        optimizes optimises decompos* factoriz* factoris* compress compresses steer* guid* overlap*
        schedul* treat* convert* captur* share shares sharing store stores keep keeps start starts let
        lets allow allows enabl* support supports add adds consist* compris* rest rests via through by
    """,
    "step": """
        first second third then finally also additionally moreover further furthermore instead
        therefore thus two three four each both
    """,
    "trial": """
        experiment* evaluat* empirical* test tests tested ablation* simulat* analysis theor* measure*
        result results trial* case cases
    """,
    "found": """
        find finds found findings show shows shown showed demonstrat* reveal* prove proves proved
        proven provably confirm* observ* indicat* suggest* conclu* verif* validat* report reports
        reported turns imply implies hold holds
    """,
    "beat": """
        outperform* beat* surpass* exceed* match matches equal equals rival* comparable competitive
        superior better best higher lower faster smaller shorter fewer less improv* reduc* cut cuts
        drop drops fall falls rise rises raise raises gain gains lowers speedup* speed-up* speeds
        accelerat* save* saving* robust effective*
    """,
    "reach": """
        reach* achiev* attain* obtain* yield* set sets run runs take takes only just state-of-the-art
        sota significant* substantial* consistently clearly dramatically nearly negligible lossless
        minimal markedly
    """,
    "against": "compared against over than relative versus baseline* counterpart* competitor* alternatives",
    "amount": "up most average averag* roughly about almost least around percent",
    "quality": """
        accuracy throughput latency performance perplexity quality memory energy utilization
        utilisation efficiency flops error cost precision recall score*
    """,
    "stuff": """
        dataset* gpu* cpu* task tasks nvidia fpga* imagenet* cifar* llama* gpt* bert resnet*
        parameter* model models patients participants hardware cluster* corpus corpora traces
    """,
    "goods": """
        code source sources checkpoint* weights model models dataset* data library implementation*
        tool package video software repository
    """,
    "open": """
        released release releases available availability public publicly open open-source open-sourced
        promised github online license licence http https
    """,
    "outlook": "hope* future could potential* may can would promising imply implications toward towards",
    "tried": """
        tested evaluated trained run deployed applied measured compared ported conducted implemented
        train evaluate test implement apply cover covers span spans use used
    """,
    "bounds": "limitation* assum* currently limited beyond restricted does not except still",
}


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word).replace(r"\*", r"[\w-]*") for word in words.split()))


_PATTERNS = {cue: _pattern(words) for cue, words in _GROUPS.items()}


@lru_cache(maxsize=1 << 14)
def cues_of(word: str) -> tuple[str, ...]:
    """The cues that a word, in small letters, gives; always in the same order."""
    return tuple(cue for cue, pattern in _PATTERNS.items() if pattern.fullmatch(word))
