"""The small window that stays on top: what it says, the window, and who keeps its place."""
