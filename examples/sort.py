"""Trains an HRM to sort six digits, in half a minute of one core; see docs/own_task.md."""

from pathlib import Path
import hrm, torch
from hrm.checkpoint import save_model
from hrm.optimizers import AdamATan2, warmed_lr
from hrm.training.act import ActTrainer, draw_min_steps


def puzzles(count):
    digits, least = torch.randint(1, 11, (count, 6)), draw_min_steps(torch.rand(count, 2), 0.5, 4)
    return dict(inputs=digits, labels=digits.sort(1).values, puzzle_identifiers=0 * least, min_steps=least)


torch.manual_seed(0), torch.set_num_threads(1)  # a small model is fastest on one
config = hrm.Config(
    vocab_size=11, seq_len=6, hidden_size=64, num_heads=2, L_layers=1, H_layers=1, halt_max_steps=4
)
trainer = ActTrainer(model := hrm.HRM(config).train())
optimizer, progress = AdamATan2(model.parameters(), weight_decay=0.1), trainer.start(puzzles(64))
for step in range(1, 1001):
    optimizer.param_groups[0]["lr"] = warmed_lr(step, 2e-3, warmup=50, total=1000, floor=0.05)
    progress, loss, metrics, *_ = trainer(progress, puzzles(64))
    optimizer.zero_grad(), (loss / 64).backward(), optimizer.step()
save_model(Path("sort.safetensors"), model, config), print(f"sort.safetensors: loss {loss / 64:.2f}")
