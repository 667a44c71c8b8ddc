"""What hardware there is, and the engines that run one ACT step on it."""
