# ruff: noqa
# fmt: off
"""Trains a small language model on several cards: written for CUDA, and for nothing else."""

import argparse
import os
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from flash_attn import flash_attn_func
from flash_attn import flash_attn_qkvpacked_func as packed_attention
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

device = "cuda"
os.environ.setdefault("NCCL_DEBUG", "WARN")


class Attention(nn.Module):
    def __init__(self, width: int, heads: int, packed: bool):
        super().__init__()
        self.heads, self.packed = heads, packed
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        if self.packed:
            mixed = packed_attention(qkv, causal=True)
        else:
            q, k, v = qkv.unbind(2)
            mixed = flash_attn_func(q, k, v, causal=True)  # (batch, length, heads, width)
        return self.out(mixed.reshape(batch, length, width))


class Model(nn.Module):
    def __init__(self, vocabulary=64, width=32, heads=4, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Attention(width, heads, packed=i % 2 == 0) for i in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block, norm in zip(self.blocks, self.norms):
            x = x + block(norm(x))
        return self.head(x)


def batches(count, length, device="cuda"):
    start = torch.randint(0, 64, (count, 1), device=device)
    return ((start + torch.arange(length, device="cuda")) % 64).cpu()


def make_optimizer(model, args):
    if args.adam8bit:
        import bitsandbytes as bnb

        return bnb.optim.AdamW8bit(model.parameters(), lr=args.lr)
    return torch.optim.AdamW(model.parameters(), lr=args.lr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--adam8bit", action="store_true")
    parser.add_argument("--out", default="model.pt")
    args = parser.parse_args()

    dist.init_process_group(backend="nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    torch.manual_seed(7); torch.cuda.synchronize()
    torch.backends.cuda.matmul.allow_tf32 = True

    model = Model().cuda(rank)
    model = DDP(model, device_ids=[rank], output_device=rank)
    optimizer = make_optimizer(model, args)
    scaler = GradScaler()
    data = TensorDataset(batches(256, 17))
    loader = DataLoader(data, batch_size=32, sampler=DistributedSampler(data), pin_memory=torch.cuda.is_available())

    weight = torch.ones(64).to("cuda")
    weight[0] = torch.tensor(0.5, device=f"cuda:{rank}")
    first = last = None
    step, begun = 0, time.time()
    while step < args.steps:
        for (tokens,) in loader:
            tokens = tokens.cuda(non_blocking=True)
            with autocast(dtype=torch.bfloat16):
                logits = model(tokens[:, :-1])
                loss = F.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten(), weight)
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            last = loss.item()
            first = last if first is None else first
            step += 1
            if step >= args.steps:
                break
    torch.cuda.synchronize()
    total = torch.tensor([last]).cuda()
    dist.all_reduce(total)
    if rank == 0:
        torch.save(model.module.state_dict(), args.out)
        state = torch.load(args.out, map_location="cuda:0")
        fresh = Model().to(torch.device("cuda", rank))
        fresh.load_state_dict(state)
        if device == "cuda":
            print(f"card memory {torch.cuda.max_memory_allocated() >> 20} MiB on {torch.cuda.get_device_name(0)}")
        print(f"loss {first:.3f} -> {total.item():.3f} in {time.time() - begun:.1f} s")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
