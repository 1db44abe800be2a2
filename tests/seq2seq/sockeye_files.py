"""Files as Sockeye 3 writes them, made from a model of this package."""

import json

import torch

from workflow_scripts.seq2seq.sockeye import EMBEDDING, POSITIONS, TIED, VOCABULARIES, sockeye_name
from workflow_scripts.seq2seq.transformer_kernels import positions
from workflow_scripts.text.symbols import SPECIAL

# A small vocabulary and its merges.
MERGES = ["l o", "lo w</w>", "lo w", "e r</w>", "& a", "&a p", "&ap o", "&apo s", "&apos ;", "&apos; s</w>"]
SYMBOLS = [*SPECIAL, "low", "lo@@", "low@@", "er", "e", "r", "l@@", "o@@", "&apos;s", "w", "<pad1>", "\u5b57"]
LAYERS = """
  act_type: relu
  attention_heads: {heads}
  block_prepended_cross_attention: false
  decoder_type: {decoder}
  depth_key_value: 0
  dropout_act: 0.1
  dropout_attention: 0.1
  dropout_prepost: 0.1
  feed_forward_num_hidden: {feed_forward}
  max_seq_len_source: 96
  max_seq_len_target: 96
  model_size: {units}
  num_layers: {layers}
  positional_embedding_type: fixed
  postprocess_sequence: dr
  preprocess_sequence: n
  use_glu: false
  use_lhuc: false"""
CONFIG = """!ModelConfig
config_data: !DataConfig
  data_statistics: !DataStatistics
    buckets:
    - !!python/tuple
      - 8
      - 8
    length_ratio_mean: {mean}
    length_ratio_std: {deviation}
  eop_id: -1
  max_seq_len_source: 96
  max_seq_len_target: 96
  num_source_factors: 1
  num_target_factors: 1
config_decoder: !TransformerConfig{decoder}
config_embed_source: !EmbeddingConfig
  dropout: 0.0
  num_embed: {units}
  num_factors: 1
  vocab_size: {vocabulary}
config_embed_target: !EmbeddingConfig
  dropout: 0.0
  num_embed: {units}
  num_factors: 1
  vocab_size: {vocabulary}
config_encoder: !TransformerConfig{encoder}
config_length_task: null
dtype: float32
lhuc: false
neural_vocab_selection: null
vocab_source_size: {vocabulary}
vocab_target_size: {vocabulary}
weight_tying_type: src_trg_softmax
"""


def parameters(model):
    """The parameters by Sockeye's names, in the order of its files."""
    sizes = model.sizes
    tensors = {}
    for name, one in model.state_dict().items():
        rows = one.t() if one.dim() == 2 and name != "embedding" else one
        if name.endswith((".enter", ".memory")) and ".feed." not in name:
            front, keys, values = rows.split([len(rows) - 2 * sizes.units, sizes.units, sizes.units])
            by_head = zip(keys.chunk(sizes.heads), values.chunk(sizes.heads), strict=True)
            rows = torch.cat([front, *(part for pair in by_head for part in pair)])
        tensors[sockeye_name(name)] = rows.clone()
    tensors |= {name: tensors[EMBEDDING] for name in TIED}
    return tensors | {name: positions(96, sizes.units, torch.device("cpu")).clone() for name in POSITIONS}


def write_sockeye(folder, model, symbols, merges, ratio=(1.0, 0.2)):
    """Write the folder of a model, with `merges` as lines of subword-nmt's file."""
    folder.mkdir(parents=True)
    sizes = model.sizes
    common = {"heads": sizes.heads, "feed_forward": sizes.feed_forward, "units": sizes.units}
    encoder = LAYERS.format(**common, layers=sizes.encoder_layers, decoder="transformer")
    decoder = LAYERS.format(**common, layers=sizes.decoder_layers, decoder="ssru_transformer")
    config = CONFIG.format(
        mean=float(ratio[0]),
        deviation=float(ratio[1]),
        encoder=encoder,
        decoder=decoder,
        units=sizes.units,
        vocabulary=sizes.vocabulary,
    )
    (folder / "config").write_text(config)
    torch.save(parameters(model), folder / "params.best")
    for name in VOCABULARIES:
        ids = {symbol: number for number, symbol in enumerate(symbols)}
        (folder / name).write_text(json.dumps(ids, ensure_ascii=False, indent=4), encoding="utf-8")
    (folder / "bpe_codes").write_text("".join(f"{line}\n" for line in ["#version: 0.2", *merges]))
