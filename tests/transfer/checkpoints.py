"""Ten pairs of sentences, and tiny checkpoints with random weights, one of each architecture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workflow_scripts.core.files import write_lines

INFORMAL = [
    *("c'est trop bien ça", "t'es où", "je sais pas", "on y va ou quoi", "salut les gars"),
    *("ouais c'est bon", "t'as vu ça", "j'ai pas le temps", "c'est nul", "à plus"),
]
FORMAL = [
    *("Cela est excellent.", "Où êtes-vous ?", "Je ne sais pas.", "Partons-nous ?", "Bonjour à tous."),
    *(
        "Oui, cela convient.",
        "Avez-vous vu cela ?",
        "Je n'ai pas le temps.",
        "Cela est mauvais.",
        "Au revoir.",
    ),
]


def put_pairs(folder: Path) -> dict[str, Path]:
    """The sentences in two files, by style."""
    for style, lines in (("informal", INFORMAL), ("formal", FORMAL)):
        write_lines(folder / style, lines)
    return {style: folder / style for style in ("informal", "formal")}


def put(folder: Path, model: Any, tokenizer: Any) -> Path:
    folder.mkdir()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def subwords(codes: tuple[str, ...] = ()) -> Any:
    """A tokenizer with the marks of T5 and mBART."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    marks = ["<s>", "<pad>", "</s>", "<unk>", *codes]
    tokenizer.train_from_iterator(
        [*INFORMAL, *FORMAL], trainers.BpeTrainer(vocab_size=400, special_tokens=marks, show_progress=False)
    )
    named = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named, additional_special_tokens=list(codes))


# Of the family of T5.
SIZES: Any = {"d_model": 64, "d_kv": 16, "d_ff": 128, "num_layers": 2, "num_heads": 4, "dropout_rate": 0.0}


def mt5(folder: Path) -> Path:
    from transformers import MT5Config, MT5ForConditionalGeneration

    tokenizer = subwords()
    config = MT5Config(
        vocab_size=len(tokenizer),
        **SIZES,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
    )
    return put(folder, MT5ForConditionalGeneration(config), tokenizer)


def both_sides(layers: int = 2, heads: int = 4, hidden: int = 64) -> dict[str, Any]:
    """The sizes of an encoder and of a decoder, without dropout; large first weights learn faster."""
    sizes = {"layers": layers, "attention_heads": heads, "ffn_dim": 2 * hidden, "layerdrop": 0.0}
    sides = {f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in sizes.items()}
    return {
        "d_model": hidden,
        "dropout": 0.0,
        "attention_dropout": 0.0,
        "init_std": 0.2,
        # As in released checkpoints; else words are small beside positions that are not learnt.
        "scale_embedding": True,
        **sides,
    }


def mbart(folder: Path, positions: int = 64) -> Path:
    from transformers import MBartConfig, MBartForConditionalGeneration

    tokenizer = subwords(("en_XX", "fr_XX"))
    config = MBartConfig(
        vocab_size=len(tokenizer),
        **both_sides(),
        max_position_embeddings=positions,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
    )
    return put(folder, MBartForConditionalGeneration(config), tokenizer)


def byt5(folder: Path) -> Path:
    from transformers import ByT5Tokenizer, T5Config, T5ForConditionalGeneration

    tokenizer = ByT5Tokenizer()
    config = T5Config(
        vocab_size=384,
        **SIZES,
        feed_forward_proj="gated-gelu",
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    return put(folder, T5ForConditionalGeneration(config), tokenizer)


def sentence_pieces(prefix: Path, lines: Sequence[str], **options: Any) -> Path:
    """A SentencePiece model that is learnt from a few lines."""
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(prefix),
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    return prefix.with_name(f"{prefix.name}.model")


def pieces_of(model: Path) -> list[str]:
    """The pieces of a SentencePiece model, but for its marks."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    return [processor.id_to_piece(number) for number in range(3, processor.get_piece_size())]


def marian(folder: Path) -> Path:
    """A Marian model, whose sides have SentencePiece models of their own and one vocabulary.

    It has one layer on each side: with normalisation after each layer, two are learnt slowly.
    """
    made = folder.with_name("pieces")
    made.mkdir()
    source, target = (
        sentence_pieces(made / side, lines * 3) for side, lines in (("source", INFORMAL), ("target", FORMAL))
    )
    return marian_of(folder, source, target, **both_sides(layers=1))


def marian_of(folder: Path, source: Path, target: Path, *codes: str, **options: Any) -> Path:
    """A Marian model of SentencePiece models, with tokens of languages and options of its configuration."""
    import json

    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    marks = ["</s>", "<unk>", *dict.fromkeys(pieces_of(source) + pieces_of(target)), *codes, "<pad>"]
    vocabulary = source.with_name("vocab.json")
    vocabulary.write_text(json.dumps({piece: number for number, piece in enumerate(marks)}))
    tokenizer = MarianTokenizer(source_spm=str(source), target_spm=str(target), vocab=str(vocabulary))
    pad = len(marks) - 1
    config = MarianConfig(
        vocab_size=len(marks),
        **options,
        max_position_embeddings=64,
        pad_token_id=pad,
        eos_token_id=0,
        bos_token_id=0,
        decoder_start_token_id=pad,
    )
    return put(folder, MarianMTModel(config), tokenizer)


def nllb(folder: Path) -> Path:
    characters = sorted({*"".join([*INFORMAL, *FORMAL, "formal:"]).replace(" ", ""), "▁"})
    return nllb_of(folder, characters, "eng_Latn", "fra_Latn", **both_sides())


def nllb_of(folder: Path, pieces: Sequence[str], *codes: str, **sizes: Any) -> Path:
    """An NLLB model of some pieces, with tokens of languages."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration, NllbTokenizer

    vocabulary = {piece: n for n, piece in enumerate(["<s>", "<pad>", "</s>", "<unk>", *pieces])}
    tokenizer = NllbTokenizer(vocab=vocabulary, merges=[], additional_special_tokens=[*codes])
    config = M2M100Config(
        vocab_size=len(tokenizer),
        **sizes,
        max_position_embeddings=128,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=2,
    )
    return put(folder, M2M100ForConditionalGeneration(config), tokenizer)
